import { expect, it } from "vitest";
import {
  appended,
  HEAD_LIMIT,
  lastLines,
  lineCount,
  nothingPrinted,
  settledLines,
} from "./printed";

const print = (...pieces: string[]) => pieces.reduce(appended, nothingPrinted);

it.each([
  [[], 0, [""]],
  [["one"], 1, ["one"]],
  [["one\ntw", "o\n"], 2, ["one", "two"]],
  [["1\n2\n3\n", "4"], 4, ["2", "3", "4"]],
  [["1\n2\n3\n4\n"], 4, ["2", "3", "4"]],
  [["\n\n\n\n"], 4, ["", "", ""]],
])("%j has %i lines and ends with %j", (pieces, count, last) => {
  expect([lineCount(print(...pieces)), lastLines(print(...pieces), 3)]).toEqual([count, last]);
});

it("the last lines may begin in the head", () => {
  const output = print("x".repeat(HEAD_LIMIT - 4), "\nab\ncd\n");
  expect([output.head.length, output.tail]).toEqual([HEAD_LIMIT, "cd\n"]);
  expect(lastLines(output, 2)).toEqual(["ab", "cd"]);
});

it("a line that is written over shows what it says last", () => {
  expect(settledLines("10 %\r50 %\r100 %\r\ndone\n")).toEqual(["100 %", "done"]);
});
