import { readFileSync } from "node:fs";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Artifact } from "../../api";
import { setPlatform } from "../../platform";
import { Report } from "./Report";

const file = (path: string, kind: Artifact["kind"]): Artifact => ({
  path,
  size: 1,
  kind,
  versions: 2,
});

const files = [
  file("charts/a b.png", "chart"),
  file("charts/ü.png", "chart"),
  file("charts/a.png", "chart"),
  file("events.csv", "table"),
];

beforeEach(() => {
  setPlatform({
    invoke: () => Promise.reject(new Error("no calls here")),
    listen: () => () => undefined,
    channel: (take) => take,
    artifactUrl: (run, path, version) =>
      `artifact://localhost/${run}/${path.split("/").map(encodeURIComponent).join("/")}?v=${version}`,
  });
});

const show = (markdown: string) =>
  render(<Report markdown={markdown} runId="r1" files={files} />).container;

const sources = (container: HTMLElement) =>
  [...container.querySelectorAll("img")].map((image) => image.getAttribute("src"));

describe("field_112 what a report says is never markup", () => {
  it.each([
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    "text <b onclick=alert(1)>bold</b> <script>alert(1)</script>",
    '<img src="charts/a.png" onerror="alert(1)" style="x">',
    "<style>body{display:none}</style>",
  ])("%s", (markdown) => {
    const container = show(`before\n\n${markdown}\n\nafter`);
    expect(
      container.querySelector("svg, iframe, script, style, b, [onerror], [onclick]"),
    ).toBeNull();
    expect(container.textContent).toContain("before");
    expect(container.textContent).toContain("after");
  });

  it.each([
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](vbscript:x)",
    "[x](data:text/html,<script>alert(1)</script>)",
    "<javascript:alert(1)>",
  ])("%s leads nowhere", (markdown) => {
    const container = show(markdown);
    expect(container.querySelectorAll("a, button")).toHaveLength(0);
    expect(container.innerHTML).not.toMatch(/href/i);
  });

  it("markup that stands by itself is a paragraph like any other", () => {
    const container = show("<svg/onload=alert(1)>");
    expect(container.querySelector("article > p")?.textContent).toBe("<svg/onload=alert(1)>");
  });

  it("cells of a table are text too", () => {
    const container = show("| a |\n|---|\n| <img src=x onerror=alert(1)> |\n");
    expect(container.querySelector("td img")).toBeNull();
    expect(container.querySelector("td")?.textContent).toContain("<img src=x onerror=alert(1)>");
  });
});

describe("field_114 no remote picture is asked for", () => {
  it.each([
    "![totals](https://evil.example/p.png?d=42)",
    "![totals](//evil.example/p.png?d=42)",
    '<img src="https://evil.example/p.png" alt="totals">',
    "[![totals](https://evil.example/p.png)](https://evil.example)",
  ])("%s becomes words with the host", (markdown) => {
    const container = show(markdown);
    expect(sources(container)).toEqual([]);
    expect(container.innerHTML).not.toContain("//evil.example");
    expect(container.textContent).toContain("totals");
    expect(container.textContent).toContain("(evil.example)");
  });

  it("a link to the web is words with the host and cannot be pressed", () => {
    const container = show("[the norm](https://example.org/a)");
    expect(container.textContent).toBe("the norm (example.org)");
    expect(container.querySelector("a, button")).toBeNull();
  });
});

describe("field_115 pictures beside the report are shown", () => {
  it.each([
    ["![c](charts/a b.png)", "artifact://localhost/r1/charts/a%20b.png?v=2"],
    ["![c](charts/a%20b.png)", "artifact://localhost/r1/charts/a%20b.png?v=2"],
    ["![c](<charts/a b.png>)", "artifact://localhost/r1/charts/a%20b.png?v=2"],
    ["![c](./charts/ü.png)", "artifact://localhost/r1/charts/%C3%BC.png?v=2"],
    ['<img src="charts/a.png">', "artifact://localhost/r1/charts/a.png?v=2"],
    ["![c](output/charts/a.png)", "artifact://localhost/r1/charts/a.png?v=2"],
  ])("%s", (markdown, source) => {
    expect(sources(show(markdown))).toEqual([source]);
  });

  it.each(["![c](../a.png)", "![c](charts/../../charts/a.png)", "![c](%2e%2e/charts/a.png)"])(
    "%s is refused",
    (markdown) => {
      const container = show(markdown);
      expect(sources(container)).toEqual([]);
      expect(container.textContent).toContain("not among the files of this run");
    },
  );

  it("a missing one leaves a quiet note that names it", () => {
    expect(show("![Sales](charts/none.png)").textContent).toBe(
      "Sales: charts/none.png is not among the files of this run.",
    );
  });
});

it("field_048 charts stand on a light card in the dark theme", () => {
  document.documentElement.dataset.theme = "dark";
  const card = show("![c](charts/a.png)").querySelector("img")?.parentElement;
  expect(card?.className).toContain("bg-chart");
  const theme = readFileSync("src/shared/theme.css", "utf8");
  // One value for both themes, unlike `raised` or `paper`, which name a variable.
  expect(theme.match(/--color-chart:[^;]*/g)).toEqual(["--color-chart: #ffffff"]);
  delete document.documentElement.dataset.theme;
});

it("a link to a file of the run opens it", async () => {
  const opened = vi.fn();
  render(
    <Report markdown="[the events](events.csv)" runId="r1" files={files} onOpenFile={opened} />,
  );
  await userEvent.click(screen.getByRole("button", { name: "the events" }));
  expect(opened.mock.calls).toEqual([["events.csv"]]);
});
