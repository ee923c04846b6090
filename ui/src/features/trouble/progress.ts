import type { ImageProgress } from "../../api";
import { bytes } from "../../shared";

/** As many lines as anybody may read again. */
const MOST = 200;

/** The lines so far with one more; what counts bytes takes the place of what was said of the same part. */
export function linesAfter(lines: ImageProgress[], next: ImageProgress): ImageProgress[] {
  const { part } = next;
  const at = part === undefined ? -1 : lines.findLastIndex((line) => line.part?.name === part.name);
  return at < 0 ? [...lines.slice(1 - MOST), next] : lines.with(at, next);
}

/** "Downloading 3f9d2c: 12 MB of 48 MB" */
export function lineWords({ line, part }: ImageProgress): string {
  if (part === undefined) return line;
  const name = line.includes(part.name) ? "" : ` ${part.name}`;
  const total = part.total_bytes === null ? "" : ` of ${bytes(part.total_bytes)}`;
  return `${line}${name}: ${bytes(part.done_bytes)}${total}`;
}
