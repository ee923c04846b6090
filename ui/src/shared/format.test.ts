import { expect, test } from "vitest";
import { bytes, counted, duration, inWords, money, price, share, when } from "./format";

test("sizes and counts", () => {
  expect(bytes(0)).toBe("0 bytes");
  expect(bytes(999)).toBe("999 bytes");
  expect(bytes(262_331)).toBe("262 kB");
  expect(bytes(1_250_000_000)).toBe("1.3 GB");
  expect(counted(1, "row")).toBe("1 row");
  expect(counted(8760, "row")).toBe("8,760 rows");
});

test("durations keep the clock readable", () => {
  expect(duration(420)).toBe("0.4 s");
  expect(duration(12_900)).toBe("12 s");
  expect(duration(185_000)).toBe("3 min 05 s");
});

test("a share that is there is never nothing", () => {
  expect(share(0, 10)).toBe("0 %");
  expect(share(1, 1_000_000)).toBe("under 0.1 %");
  expect(share(41, 8760)).toBe("0.5 %");
  expect(share(2, 3)).toBe("67 %");
});

test("a time is as near as it is", () => {
  const now = new Date(2025, 10, 30, 9, 0);
  const at = (day: number) => new Date(2025, 10, day, 23, 30).toISOString();
  expect(when(at(29), now)).toBe("yesterday");
  expect(when(at(26), now)).toBe("Wednesday");
  expect(when(at(3), now)).toBe("Nov 3, 2025");
  expect(when("nonsense", now)).toBe("");
});

test("money and words that tokens stand for", () => {
  expect([0, 4000, 45_000, 12_345_678].map(money)).toEqual([
    "$0.00",
    "under $0.01",
    "$0.05",
    "$12.35",
  ]);
  expect([3, 4.5, 0.075].map(price)).toEqual(["$3", "$4.50", "$0.075"]);
  expect([8192, 131_072, 2_000_000].map(inWords)).toEqual([
    "about 6,100 words",
    "about 98,000 words",
    "about 1,500,000 words",
  ]);
});
