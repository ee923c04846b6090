import { readFileSync } from "node:fs";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Artifact, Block, Document, Inline, Target } from "../../../api";
import { setPlatform } from "../../../platform";
import { documentOf, heading, paragraph, picture, text } from "../../../platform/mock/document";
import { mathOf } from "./math";
import { Report } from "./Report";
import { hostOf } from "./words";

const file = (path: string, kind: Artifact["kind"]): Artifact => ({
  path,
  size: 1,
  kind,
  versions: 2,
});

const files = [
  file("charts/a b.png", "chart"),
  file("charts/ü.png", "chart"),
  file("charts/no #1.png", "chart"),
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

const draw = (document: Document) =>
  render(<Report document={document} runId="r1" files={files} />).container;
const show = (...blocks: Block[]) => draw(documentOf(...blocks));

const link = (to: Target, words: string): Inline => ({
  inline: "link",
  to,
  content: [text(words)],
});
const shown = (to: Target, alt: string): Inline => ({ inline: "picture", to, alt });
const web = (address: string): Target => ({ to: "web", address });
const missing = (path: string): Target => ({ to: "missing", path });

const sources = (container: HTMLElement) =>
  [...container.querySelectorAll("img")].map((image) => image.getAttribute("src"));

const markup = [
  "<img src=x onerror=alert(1)>",
  "<svg/onload=alert(1)>",
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  "text <b onclick=alert(1)>bold</b> <script>alert(1)</script>",
  "<style>body{display:none}</style>",
];

describe("field_112 what a report says is never markup", () => {
  it.each(markup)("%s", (words) => {
    const all = [text(words)];
    const container = draw({
      blocks: [
        heading(2, words),
        paragraph(text(words), { inline: "code", text: words }, { inline: "formula", tex: words }),
        paragraph({ inline: "strong", content: [{ inline: "figure", text: words, number: 0 }] }),
        { block: "quote", blocks: [paragraph(text(words))] },
        { block: "list", start: null, items: [{ done: true, blocks: [paragraph(text(words))] }] },
        { block: "code", language: words, text: words },
        { block: "formula", tex: words },
        { block: "table", columns: ["start"], head: [all], rows: [[all]] },
      ],
      notes: [[paragraph(text(words))]],
      figures: [],
    });
    expect(
      container.querySelector("svg, iframe, script, style, b, img, [onerror], [onclick]"),
    ).toBeNull();
    expect(container.textContent.split(words)).toHaveLength(13);
  });

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "vbscript:x",
    "data:text/html,<script>alert(1)</script>",
  ])("%s leads nowhere", (path) => {
    const container = show(paragraph(link(missing(path), "x"), link(web(path), "y")));
    expect(container.querySelectorAll("a, button")).toHaveLength(0);
    expect(container.innerHTML).not.toMatch(/href/i);
  });
});

describe("field_114 no remote picture is asked for", () => {
  it.each(["https://evil.example/p.png?d=42", "//evil.example/p.png?d=42"])(
    "%s becomes words with the host",
    (address) => {
      const alone = shown(web(address), "totals");
      const linked: Inline = { inline: "link", to: web(address), content: [alone] };
      const container = show(paragraph(alone), paragraph(linked));
      expect(sources(container)).toEqual([]);
      expect(container.innerHTML).not.toContain("//evil.example");
      expect(container.textContent).toContain("totals (evil.example)");
    },
  );

  it("a link to the web is words with the host and cannot be pressed", () => {
    const container = show(paragraph(link(web("https://example.org/a"), "the norm")));
    expect(container.textContent).toBe("the norm (example.org)");
    expect(container.querySelector("a, button")).toBeNull();
  });

  it.each([
    ["mailto:a@example.org?subject=x", "a@example.org"],
    ["//example.org/a b.png", "example.org"],
    ["https://good.example@evil.example/", "evil.example"],
    ["https://", "https://"],
  ])("%s is that of %s", (address, host) => expect(hostOf(address)).toBe(host));

  it("words that are the address already do not say it twice", () => {
    const container = show(paragraph(link(web("mailto:a@example.org"), "a@example.org")));
    expect(container.textContent).toBe("a@example.org");
  });
});

describe("field_115 pictures beside the report are shown", () => {
  it.each([
    ["charts/a b.png", "artifact://localhost/r1/charts/a%20b.png?v=2"],
    ["charts/ü.png", "artifact://localhost/r1/charts/%C3%BC.png?v=2"],
    ["charts/no #1.png", "artifact://localhost/r1/charts/no%20%231.png?v=2"],
  ])("%s", (path, source) => {
    expect(sources(show(picture(path, "c")))).toEqual([source]);
  });

  it("a missing one leaves a quiet note that names it", () => {
    expect(show(paragraph(shown(missing("charts/none.png"), "Sales"))).textContent).toBe(
      "Sales: charts/none.png is not among the files of this run.",
    );
    expect(show(picture("charts/gone since.png", "")).textContent).toBe(
      "charts/gone since.png is not among the files of this run.",
    );
  });

  it("a file that is no picture is a link to it", async () => {
    const opened = vi.fn();
    render(
      <Report
        document={documentOf(picture("events.csv", "The events"))}
        runId="r1"
        files={files}
        onOpenFile={opened}
      />,
    );
    await userEvent.click(screen.getByRole("button", { name: "The events" }));
    expect(opened.mock.calls).toEqual([["events.csv"]]);
  });

  it("a picture in a link is pressed for itself", () => {
    const inside = shown({ to: "file", path: "charts/a.png" }, "Sales");
    const to: Target = { to: "file", path: "events.csv" };
    render(
      <Report
        document={documentOf(paragraph({ inline: "link", to, content: [inside] }))}
        runId="r1"
        files={files}
        onOpenFile={vi.fn()}
        onOpenChart={vi.fn()}
      />,
    );
    expect(screen.getByRole("button").getAttribute("aria-label")).toBe(
      "Open the chart large: Sales",
    );
  });
});

it("field_048 charts stand on a light card in the dark theme", () => {
  document.documentElement.dataset.theme = "dark";
  const card = show(picture("charts/a.png", "c")).querySelector("img")?.parentElement;
  expect(card?.className).toContain("bg-chart");
  const theme = readFileSync("src/shared/theme.css", "utf8");
  // One value for both themes, unlike `raised` or `paper`, which name a variable.
  expect(theme.match(/--color-chart:[^;]*/g)).toEqual(["--color-chart: #ffffff"]);
  delete document.documentElement.dataset.theme;
});

it("a link to a file of the run opens it", async () => {
  const opened = vi.fn();
  render(
    <Report
      document={documentOf(paragraph(link({ to: "file", path: "events.csv" }, "the events")))}
      runId="r1"
      files={files}
      onOpenFile={opened}
    />,
  );
  await userEvent.click(screen.getByRole("button", { name: "the events" }));
  expect(opened.mock.calls).toEqual([["events.csv"]]);
});

it("headings stand one level lower than the page's own, and links lead to them", async () => {
  const to: Target = { to: "place", id: "root" };
  const blocks = [paragraph(link(to, "down")), ...[1, 2, 6].map((level) => heading(level, "Root"))];
  const container = show(...blocks);
  expect(
    [...container.querySelectorAll("[id$=-heading-root]")].map((each) => each.tagName),
  ).toEqual(["H2", "H3", "H6"]);
  expect(container.querySelector("#root")).toBeNull();
  await userEvent.click(screen.getByRole("link", { name: "down" }));
  expect(document.activeElement?.tagName).toBe("H2");
});

it("notes stand at the end and lead back to where they are first named", async () => {
  const note = (number: number): Inline => ({ inline: "note", number });
  draw({
    blocks: [paragraph(text("One"), note(1), text(" and again"), note(1))],
    notes: [[paragraph(text("The first."))]],
    figures: [],
  });
  const [first, again] = screen.getAllByRole("link", { name: "Note 1" });
  await userEvent.click(again as HTMLElement);
  expect(document.activeElement?.textContent).toBe("The first.↩");
  await userEvent.click(screen.getByRole("link", { name: "Back from note 1" }));
  expect(document.activeElement).toBe(first);
});

it("lists number from where they begin, and tasks say whether they are done", () => {
  const items = [true, false].map((done) => ({
    done,
    blocks: [paragraph(text(done ? "read" : "drawn"))],
  }));
  const container = show({ block: "list", start: 3, items });
  expect(container.querySelector("ol")?.start).toBe(3);
  const boxes = screen.getAllByRole("checkbox") as HTMLInputElement[];
  expect(boxes.map((box) => [box.ariaLabel, box.checked, box.disabled])).toEqual([
    ["read", true, true],
    ["drawn", false, true],
  ]);
});

it("a table keeps its columns aligned, in a region that scrolls", () => {
  const cells = ["a", "b", "c"].map((words) => [text(words)]);
  show({ block: "table", columns: ["start", "center", "end"], head: cells, rows: [cells] });
  const region = screen.getByRole("region", { name: "Table" });
  const aligned = (role: string) =>
    within(region)
      .getAllByRole(role)
      .map((cell) => cell.dataset.align);
  expect(aligned("columnheader")).toEqual(["start", "center", "end"]);
  expect(aligned("cell")).toEqual(["start", "center", "end"]);
});

it("each part reads in the direction of its own words, code from left to right", () => {
  const container = show(
    heading(1, "تقرير"),
    { block: "list", start: null, items: [{ done: null, blocks: [paragraph(text("واحد"))] }] },
    { block: "code", language: "", text: "x = 1" },
  );
  expect(
    [...container.querySelectorAll("[dir]")].map((part) => [
      part.tagName,
      part.getAttribute("dir"),
    ]),
  ).toEqual([
    ["H2", "auto"],
    ["UL", "auto"],
    ["PRE", "ltr"],
  ]);
});

describe("formulas", () => {
  const formula = (tex: string) => show({ block: "formula", tex });

  it("are drawn", async () => {
    const container = formula("\\frac{1}{n} \\sum x_i");
    await waitFor(() => expect(container.querySelector("math mfrac")).not.toBeNull());
    expect(container.querySelector("code")).toBeNull();
  });

  it.each([
    "\\frac{1",
    "\\href{javascript:alert(1)}{x}",
    "\\includegraphics{https://evil.example/p.png}",
    "\\class{fixed}{x}",
    `${"{".repeat(900)}x${"}".repeat(900)}`.repeat(2),
  ])("%s stays as it is written", async (tex) => {
    await import("./DrawnFormula");
    const container = formula(tex);
    await act(() => Promise.resolve());
    expect(container.textContent).toBe(tex);
    expect(container.querySelector("math")).toBeNull();
  });

  it("give nothing a name", () => {
    const drawn = mathOf("\\begin{align} x &= 1 \\label{root} \\end{align}", "block");
    expect(drawn?.querySelector("mtr")).not.toBeNull();
    expect(drawn?.querySelector("[id], [href], span")).toBe(null);
  });
});
