import type { TablePage } from "../../api/types";

/** The practice sample: a year of hourly energy use, made by rule so that it is the same each time. */
export const columns = ["timestamp", "energy_kwh", "outdoor_temp_c"];

const hours = 8760;
const year = Date.UTC(2025, 0, 1);

/** A fixed wobble between -1 and 1 that stands for noise. */
const wobble = (n: number) => {
  const wave = Math.sin(n * 12.9898) * 43758.5453;
  return 2 * (wave - Math.floor(wave)) - 1;
};

function reading(hour: number): { energy: number; temperature: number } {
  const time = new Date(year + hour * 3_600_000);
  const season = Math.cos((2 * Math.PI * (hour - 480)) / hours);
  const clock = time.getUTCHours();
  const temperature = 11 - 10 * season + 4 * Math.sin((2 * Math.PI * (clock - 9)) / 24);
  const open = time.getUTCDay() % 6 !== 0 && clock >= 7 && clock < 20;
  const energy = (open ? 52 : 16) + 8 * Math.max(0, season) + (open ? 5 : 1.2) * wobble(hour);
  return { energy: unusual(hour) ?? energy, temperature: temperature + wobble(hour + 0.5) };
}

/** The events the finished run tells of: stuck readings, something left on, a spike. */
function unusual(hour: number): number | null {
  if (hour >= 1687 && hour < 1723) return 45.3;
  if (hour >= 4029 && hour < 4038) return 44 + 9 * wobble(hour);
  if (hour === 6038) return 148.7;
  return null;
}

const stamp = (hour: number) =>
  new Date(year + hour * 3_600_000).toISOString().slice(0, 19).replace("T", " ");

export const energyAt = (hour: number) => reading(hour).energy;

export function page(offset: number, limit: number): TablePage {
  const rows: string[][] = [];
  for (let hour = offset; hour < Math.min(hours, offset + limit); hour += 1) {
    const { energy, temperature } = reading(hour);
    rows.push([stamp(hour), energy.toFixed(1), temperature.toFixed(1)]);
  }
  return { columns, rows, offset, total_rows: hours, matching_rows: null };
}
