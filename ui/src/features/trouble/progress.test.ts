import { expect, test } from "vitest";
import type { ImageProgress } from "../../api";
import { linesAfter, lineWords } from "./progress";

const part = (name: string, done_bytes: number): ImageProgress => ({
  line: `Downloading ${name}`,
  part: { name, done_bytes, total_bytes: 48_000_000 },
});

test("each part has one line, however often it is told of, and the rest is bounded", () => {
  const parts = [part("a", 1e6), part("b", 2e6), { line: "Waiting" }, part("a", 12e6)];
  const lines = parts.reduce(linesAfter, [] as ImageProgress[]);
  expect(lines.map(lineWords)).toEqual([
    "Downloading a: 12 MB of 48 MB",
    "Downloading b: 2 MB of 48 MB",
    "Waiting",
  ]);
  const many = Array.from({ length: 1000 }, (_, at): ImageProgress => ({ line: String(at) }));
  const kept = many.reduce(linesAfter, [] as ImageProgress[]);
  expect([kept.length, kept[0]?.line, kept.at(-1)?.line]).toEqual([200, "800", "999"]);
});

test("a part that the line does not name is named, and a total that nobody knows is left out", () => {
  const reading = { line: "Reading", part: { name: "x.tar", done_bytes: 5e6, total_bytes: null } };
  expect(lineWords(reading)).toBe("Reading x.tar: 5 MB");
});
