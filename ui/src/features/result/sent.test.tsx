import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { SentPart, SentSummary } from "../../api";
import { setPlatform } from "../../platform";
import { SentBadge } from "./SentBadge";
import { heldWords, sentWords } from "./sentWords";
import { textBlocks } from "./textBlocks";

const summary = (part: Partial<SentSummary> = {}): SentSummary => ({
  requests: 3,
  bytes: 14_020,
  hosts: ["api.openai.com"],
  stays_here: false,
  rows: "shown",
  ...part,
});

const part = (text: string, from_files = false): SentPart => ({ text, from_files });
const whole = (parts: readonly SentPart[]) => parts.map(({ text }) => text).join("");

let parts: SentPart[];
const calls: [string, Record<string, unknown>][] = [];

beforeEach(() => {
  calls.length = 0;
  parts = [part('{"content":"'), part("Anna Müller", true), part(' pays 12"}')];
  setPlatform({
    invoke: <Answer,>(name: string, args: Record<string, unknown> = {}) => {
      calls.push([name, args]);
      const list = [0, 1, 2].map((number) => ({
        number,
        at: "2026-01-05T10:00:00Z",
        host: "api.openai.com",
        bytes: 4000 + number,
      }));
      return Promise.resolve((name === "sent" ? list : parts) as Answer);
    },
    listen: () => () => undefined,
    channel: (take) => take,
    artifactUrl: () => "",
  });
});

it.each([
  [{ requests: 0, hosts: [], stays_here: true }, "Nothing left this computer"],
  [
    { stays_here: true, hosts: ["127.0.0.1:11434"] },
    "Nothing left this computer: 3 requests to a program on it, 14 kB",
  ],
  [{}, "3 requests, 14 kB to api.openai.com, with rows"],
  [{ requests: 1, rows: "kept_here" }, "1 request, 14 kB to api.openai.com, no rows"],
  [
    { hosts: ["a.example", "b.example"] },
    "3 requests, 14 kB to a.example and b.example, with rows",
  ],
] satisfies [Partial<SentSummary>, string][])("%j is told as %s", (sent, words) => {
  expect(sentWords(summary(sent))).toBe(words);
});

it("says that figures were sent though rows were kept back", () => {
  expect(heldWords(summary({ rows: "kept_here" }))).toContain("figures and dates were sent");
});

it("opens the list of requests and the exact text, words of the files marked; Escape closes it", async () => {
  const user = userEvent.setup();
  const write = vi.spyOn(navigator.clipboard, "writeText");
  render(<SentBadge runId="r1" sent={summary()} />);
  await user.click(screen.getByRole("button", { name: /^3 requests/ }));
  const dialog = await screen.findByRole("dialog");
  const list = await within(dialog).findByRole("list", { name: "Requests" });
  expect(within(list).getAllByRole("button")).toHaveLength(3);
  await user.click(within(list).getAllByRole("button")[1] as HTMLElement);
  const text = await within(dialog).findByRole("region", { name: "Text of request 2" });
  expect(calls).toContainEqual(["sent_text", { run: "r1", number: 1 }]);
  expect(text.textContent).toBe('{"content":"Anna Müller pays 12"}');
  expect([...text.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual([
    "Anna Müller",
  ]);
  await user.click(within(dialog).getByRole("button", { name: "Copy the text" }));
  expect(write).toHaveBeenCalledWith(whole(parts));
  expect(within(dialog).getByText("Copied")).toBeDefined();
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("draws only what is in sight of a long text", async () => {
  // Nothing is laid out here, so that a block would count as having no height.
  const height = vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(240);
  parts = Array.from({ length: 20_000 }, (_, at) => part(`word ${at} `, at % 2 === 0));
  const user = userEvent.setup();
  render(<SentBadge runId="r1" sent={summary()} />);
  await user.click(screen.getByRole("button", { name: /^3 requests/ }));
  const text = await screen.findByRole("region", { name: "Text of request 3" });
  expect(text.querySelectorAll("mark").length).toBeLessThan(1500);
  expect(text.textContent?.startsWith("word 0 word 1 ")).toBe(true);
  height.mockRestore();
});

it("says plainly that there was no request", async () => {
  const user = userEvent.setup();
  render(<SentBadge runId="r1" sent={summary({ requests: 0, hosts: [], stays_here: true })} />);
  await user.click(screen.getByRole("button", { name: "Nothing left this computer" }));
  expect(await screen.findByText(/No request was made/)).toBeDefined();
  expect(calls).toEqual([]);
});

it("blocks hold the whole text, whatever its parts are like", () => {
  const texts = [
    [part("x".repeat(10_000)), part("y".repeat(3000), true), part("z")],
    [part("a b ".repeat(2000)), part("Müller", true), part("😀".repeat(2000))],
    [],
    [part("")],
  ];
  for (const all of texts) {
    const blocks = textBlocks(all);
    expect(whole(blocks.flat())).toBe(whole(all));
    expect(blocks.every((block) => whole(block).length <= 1200)).toBe(true);
    expect(whole(blocks.flat().filter((each) => each.from_files))).toBe(
      whole(all.filter((each) => each.from_files)),
    );
    // No block ends or begins within a character.
    const torn = /[\uD800-\uDBFF]$|^[\uDC00-\uDFFF]/;
    expect(blocks.some((block) => torn.test(whole(block)))).toBe(false);
  }
});
