"""Writes the synthetic sample: building_energy.csv and truth.json, next to this file.

The building does not exist. It is an office with electric heating and cooling, one reading an hour
through 2025, in which a few events were placed on purpose; truth.json lists them. Python's standard
library only, one fixed seed: every run writes the same bytes.

    python3 make_sample.py
"""

import csv
import json
import math
import random
from datetime import datetime, timedelta
from pathlib import Path

SEED = 20250101
START = datetime(2025, 1, 1)
HOURS = 365 * 24

NEW_YEAR, EASTER_MONDAY, MAY_DAY, CHRISTMAS, BOXING_DAY = "2025-01-01", "2025-04-21", "2025-05-01", "2025-12-25", "2025-12-26"
HOLIDAYS = {
    NEW_YEAR: "New Year's Day",
    EASTER_MONDAY: "Easter Monday",
    MAY_DAY: "Labour Day",
    CHRISTMAS: "Christmas Day",
    BOXING_DAY: "the day after Christmas",
}

# Share of full occupation at each hour of a working day.
WORKING_DAY = [0, 0, 0, 0, 0, 0.05, 0.2, 0.55, 0.85, 1, 1, 1, 0.9, 0.95, 1, 1, 0.95, 0.75, 0.45, 0.25, 0.12, 0.05, 0, 0]
SATURDAY = [0, 0, 0, 0, 0, 0, 0, 0, 0.1, 0.2, 0.25, 0.25, 0.2, 0.15, 0.1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
BASE_LOAD_KWH, OCCUPIED_LOAD_KWH = 14.0, 42.0
HEATING_BELOW_C, COOLING_ABOVE_C = 14.0, 21.0

# First hour, last hour.
STUCK_METER = ("2025-03-12 07:00:00", "2025-03-13 18:00:00")
NIGHT_LEFT_ON = ("2025-06-17 21:00:00", "2025-06-18 05:00:00")
SPIKE = ("2025-09-09 14:00:00", "2025-09-09 14:00:00")
SENSOR_FAULT = ("2025-10-20 07:00:00", "2025-10-21 12:00:00")
SENSOR_FAULT_READS_C = 85.0


def hours_between(event):
    first, last = (datetime.fromisoformat(moment) for moment in event)
    return [first + timedelta(hours=hour) for hour in range(int((last - first).total_seconds() // 3600) + 1)]


def outdoor_temperature(moment, weather):
    """A temperate climate: seasons, days warmer than nights (more so in summer), and the weather."""
    season = -math.cos(2 * math.pi * (moment.timetuple().tm_yday - 20) / 365.25)
    daily = math.sin(2 * math.pi * (moment.hour - 9) / 24)
    return 11.0 + 8.5 * season + (3.0 + 1.5 * season) * daily + weather


def occupation(moment):
    if moment.date().isoformat() in HOLIDAYS or moment.weekday() == 6:
        return 0.0
    return SATURDAY[moment.hour] if moment.weekday() == 5 else WORKING_DAY[moment.hour]


def energy(moment, temperature, day_factor, chance):
    busy = occupation(moment)
    heating = max(0.0, HEATING_BELOW_C - temperature) * (0.35 + 0.75 * busy)
    cooling = max(0.0, temperature - COOLING_ABOVE_C) * (0.15 + 1.6 * busy)
    load = BASE_LOAD_KWH + OCCUPIED_LOAD_KWH * busy * day_factor + heating + cooling
    return load * (1 + chance.gauss(0, 0.035)) + chance.gauss(0, 0.4)


def readings():
    chance = random.Random(SEED)
    weather, day_factor = 0.0, 1.0
    rows = []
    for hour in range(HOURS):
        moment = START + timedelta(hours=hour)
        if moment.hour == 0:
            day_factor = chance.gauss(1.0, 0.035)
        weather = 0.985 * weather + chance.gauss(0, 0.55)
        temperature = outdoor_temperature(moment, weather)
        rows.append([moment, round(energy(moment, temperature, day_factor, chance), 1), round(temperature, 1)])
    return rows


def place_events(rows):
    row_at = {row[0]: row for row in rows}
    stuck_at = row_at[datetime.fromisoformat(STUCK_METER[0])][1]
    for moment in hours_between(STUCK_METER):
        row_at[moment][1] = stuck_at
    day_before = timedelta(hours=10)
    for number, moment in enumerate(hours_between(NIGHT_LEFT_ON)):
        running = row_at[moment - day_before][1] if moment.hour < 7 else row_at[moment - timedelta(hours=6)][1]
        row_at[moment][1] = round(0.8 * running + 6 + 0.3 * (number % 3), 1)
    for moment in hours_between(SPIKE):
        row_at[moment][1] = round(row_at[moment][1] * 2.6, 1)
    for moment in hours_between(SENSOR_FAULT):
        row_at[moment][2] = SENSOR_FAULT_READS_C


def truth():
    def event(kind, span, column, sentence):
        return {"kind": kind, "start": span[0], "end": span[1], "column": column, "sentence": sentence}

    def day(date):
        return (f"{date} 00:00:00", f"{date} 23:00:00")

    events = [
        event("stuck_meter", STUCK_METER, "energy_kwh", "The meter repeats one reading for a day and a half."),
        event("night_left_on", NIGHT_LEFT_ON, "energy_kwh", "The building runs through the night as if it were in use."),
        event("spike", SPIKE, "energy_kwh", "One hour reads more than twice what it should."),
        event("sensor_fault", SENSOR_FAULT, "outdoor_temp_c", "The temperature sensor reports 85 degrees, its fault value."),
    ]
    events += [
        event("holiday", day(date), "energy_kwh", f"{name}: nobody works, though it is a weekday.")
        for date, name in HOLIDAYS.items()
    ]
    return sorted(events, key=lambda one: one["start"])


def main():
    folder = Path(__file__).parent
    rows = readings()
    place_events(rows)
    with open(folder / "building_energy.csv", "w", encoding="utf-8", newline="") as target:
        writer = csv.writer(target, lineterminator="\n")
        writer.writerow(["timestamp", "energy_kwh", "outdoor_temp_c"])
        for moment, load, temperature in rows:
            writer.writerow([moment.strftime("%Y-%m-%d %H:%M:%S"), f"{load:.1f}", f"{temperature:.1f}"])
    with open(folder / "truth.json", "w", encoding="utf-8") as target:
        json.dump({"synthetic": True, "events": truth()}, target, indent=2)
        target.write("\n")


if __name__ == "__main__":
    main()
