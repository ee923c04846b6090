/** The report the practice run leaves. */
export const report = `# Unusual energy use

7 periods of unusual energy use stand out between Wed 1 Jan 2025 and Wed 31 Dec 2025: 1 of stuck readings, 1 with something left on, 1 with a single spike and 4 like a day off. The most important one is Wed 12 Mar 2025 07:00 to Thu 13 Mar 2025 18:00: the same reading, 45.3 kWh, 36 times in a row, where 17.8 to 66 kWh is usual. A meter or its connection that hangs looks like this.

![The readings over time with the unusual periods marked](charts/unusual_periods.png)

## The events

| No. | When | What | Difference | What was seen |
|---:|---|---|---:|---|
| 1 | Wed 12 Mar 2025 07:00 to Thu 13 Mar 2025 18:00 | stuck readings | -16.5 kWh (-1 %) | The same reading, 45.3 kWh, 36 times in a row, where 17.8 to 66 kWh is usual. |
| 2 | Tue 17 Jun 2025 21:00 to Wed 18 Jun 2025 05:00 | left on | +277.7 kWh (+217 %) | 9 hours at 26.4 to 53.9 kWh at a time that is usually quiet (13.5 to 16.1 kWh). Something that is normally off was running. |
| 3 | Tue 9 Sep 2025, 14:00 | spike | +92.7 kWh (+166 %) | One hour at 148.7 kWh, 2.66 times the expected 56 kWh; what came before and after was usual. |
| 4 | Thu 25 Dec 2025 06:00 to Fri 26 Dec 2025 21:00 | day off | -1,144 kWh (-66 %) | 2 days on which the readings look like those of a Sunday. |

Events come in the order of how far they were from the expected.

![Event 1 next to what was expected](charts/event_1.png)

![Event 2 next to what was expected](charts/event_2.png)

## How the expected value was computed

For each reading, the expected value is what the same hour of similar days showed in the 5 weeks before and after. Half of all readings lie within 0.733 kWh of it.

## What to be careful about

- The temperature reads 85 °C for 30 hours in October, which cannot be right. These temperatures were not used.
- The causes named are what such readings usually mean. Only somebody who knows the place can confirm them.

## Files

- [anomalies.csv](anomalies.csv): the 127 unusual readings, each with what was expected
- [events.csv](events.csv): the events, one row each

---

*8,760 rows of input/building_energy.csv were read. This report was written by the built-in analyst: fixed rules and statistics, not AI.*
`;
