import type { Align, Block, Document, Inline, Item } from "../../api/types";
import { documentOf, heading, paragraph, text } from "./document";

/** A report that has every part that one can have, some of it in Arabic and Hebrew. */

const item = (words: string, done: boolean | null = null): Item => ({
  done,
  blocks: [paragraph(text(words))],
});
const list = (start: number | null, ...items: Item[]): Block => ({ block: "list", start, items });
const link = (to: Extract<Inline, { inline: "link" }>["to"], words: string): Inline => ({
  inline: "link",
  to,
  content: [text(words)],
});
const figure = (number: number): Inline => ({
  inline: "figure",
  text: figures[number] ?? "",
  number,
});

const figures = ["45.3", "36", "17.8", "66"];

const quarters = Array.from(
  { length: 16 },
  (_, at) => `Quarter ${(at % 4) + 1} of ${2022 + Math.floor(at / 4)}`,
);
const columns: Align[] = ["start", "center", ...quarters.map((): Align => "end")];
const wide: Block = {
  block: "table",
  columns,
  head: ["Region", "Kind", ...quarters].map((words) => [text(words)]),
  rows: ["North", "South"].map((region) =>
    [region, "flat", ...quarters.map((_, at) => `${1_200 + at * 37} kWh`)].map((words) => [
      text(words),
    ]),
  ),
};

export const everyPart = (): Document => ({
  ...documentOf(
    heading(1, "Every part"),
    paragraph(
      text("The same reading, "),
      figure(0),
      text(" kWh, came "),
      figure(1),
      text(" times"),
      { inline: "note", number: 1 },
      text(", where "),
      { inline: "strong", content: [figure(2), text(" to "), figure(3)] },
      text(" kWh is usual. See "),
      link({ to: "place", id: "the-table" }, "the table"),
      text(", "),
      link({ to: "file", path: "events.csv" }, "the events"),
      text(", "),
      link({ to: "missing", path: "gone.csv" }, "what is gone"),
      text(" and "),
      link({ to: "web", address: "https://example.org/norm" }, "the norm"),
      text("."),
    ),
    paragraph(
      { inline: "emphasis", content: [text("Emphasis")] },
      text(", "),
      { inline: "struck", content: [text("struck words")] },
      text(", "),
      { inline: "code", text: "median(energy_kwh)" },
      text(" and "),
      { inline: "formula", tex: "\\bar{x} = \\frac{1}{n} \\sum x_i" },
      { inline: "break" },
      text("on a new line."),
    ),
    heading(2, "الاستهلاك في الشتاء"),
    paragraph(
      text("بلغ الاستهلاك "),
      figure(0),
      text(" كيلوواط ساعة، وتكرر "),
      figure(1),
      text(" مرة."),
    ),
    list(null, item("الأول"), item("الثاني"), item("تم", true)),
    { block: "quote", blocks: [paragraph(text("הקריאה חזרה על עצמה 36 פעמים."))] },
    heading(2, "The table"),
    wide,
    paragraph({
      inline: "picture",
      to: { to: "missing", path: "charts/weekends.png" },
      alt: "Weekends",
    }),
    list(3, item("third"), item("fourth")),
    list(null, item("read the file", true), item("ask about the meter", false)),
    { block: "formula", tex: "E = \\sum_{h=1}^{8760} p_h" },
    { block: "code", language: "python", text: "print(readings['energy_kwh'].median())\n" },
    { block: "rule" },
    paragraph({ inline: "emphasis", content: [text("That was every part.")] }),
  ),
  notes: [[paragraph(text("A meter or its connection that hangs looks like this."))]],
  figures: figures.map((words) => ({ text: words, kind: "number", place: `reading, ${words}` })),
});
