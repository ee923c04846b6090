import { energyAt } from "./energy";

/** Draws the year as the sandbox would, as a picture the page may show without a network. */
export function chart(title: string, from: number, to: number): string {
  const step = Math.max(1, Math.floor((to - from) / 700));
  const points: string[] = [];
  for (let hour = from; hour < to; hour += step) {
    const x = 70 + (880 * (hour - from)) / (to - from);
    const y = 420 - energyAt(hour) * 2.2;
    points.push(`${x.toFixed(1)},${y.toFixed(1)}`);
  }
  const grid = [0, 50, 100, 150]
    .map((value) => {
      const y = 420 - value * 2.2;
      return `<path d="M70 ${y}H950" stroke="#e2ded5"/><text x="60" y="${y + 5}" text-anchor="end">${value}</text>`;
    })
    .join("");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 480" width="1000" height="480" font-family="sans-serif" font-size="15" fill="#565c64"><rect width="1000" height="480" fill="#fff"/><text x="70" y="40" font-size="20" font-weight="600" fill="#1c1f23">${title}</text>${grid}<polyline points="${points.join(" ")}" fill="none" stroke="#3e5c8a" stroke-width="1.2"/><text x="70" y="455">energy use (kWh)</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

export const pictures: Record<string, string> = {
  "charts/unusual_periods.png": chart("Energy use and its 7 unusual periods", 0, 8760),
  "charts/event_1.png": chart("Event 1: stuck readings in March", 1600, 1800),
  "charts/event_2.png": chart("Event 2: left on during a night in June", 3950, 4120),
};
