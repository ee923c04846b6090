import { expect, it } from "vitest";
import { fileOf, target } from "./links";

it.each([
  ["charts/a.png", "charts/a.png"],
  ["./charts/%C3%BC.png", "charts/ü.png"],
  ["charts/a%20b.png", "charts/a b.png"],
  ["charts\\a.png", "charts/a.png"],
  ["charts/no #1.png", "charts/no #1.png"],
  ["100%.csv", "100%.csv"],
])("%s is the file %s", (destination, path) => {
  expect(target(destination)).toEqual({ kind: "file", path });
});

it.each([
  "../secret.png",
  "charts/../../secret.png",
  "%2e%2e/secret.png",
  "charts\\..\\..\\secret.png",
  "/etc/passwd",
  "%2Fetc/passwd",
  "C:\\x.png",
  "javascript:alert(1)",
  "data:image/png;base64,AA",
  "file:///etc/passwd",
  "sandbox:/mnt/data/x.csv",
  "a%00.png",
  "",
])("field_115 %s is refused", (destination) => {
  expect(target(destination)).toEqual({ kind: "refused" });
});

it("names the host of what leads to the web", () => {
  expect(target("https://example.org/a?b=c")).toEqual({
    kind: "web",
    host: "example.org",
    url: "https://example.org/a?b=c",
  });
  expect(target("//evil.example/p.png")).toMatchObject({ kind: "web", host: "evil.example" });
});

it("finds files that are named from the workspace's root", () => {
  const files = [{ path: "charts/a.png" }];
  expect(fileOf(files, "output/charts/a.png")).toBe(files[0]);
  expect(fileOf(files, "charts/b.png")).toBeUndefined();
});

it("field_102 a mark of the address may be a part of the name", () => {
  const files = [{ path: "charts/no #1.png" }, { path: "rows.csv" }];
  expect(fileOf(files, "charts/no #1.png")).toBe(files[0]);
  expect(fileOf(files, "rows.csv#x")).toBe(files[1]);
  expect(fileOf(files, "rows.csv?v=2")).toBe(files[1]);
  expect(fileOf(files, "charts/no")).toBeUndefined();
});
