import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { ReportCheck, Verdict } from "../../api";
import { EvidenceBadge } from "./EvidenceBadge";
import { evidenceWords, sourceOf } from "./evidenceWords";

const figure = (text: string, verdict: Verdict) => ({ text, place: `about ${text}`, verdict });

const checked: ReportCheck = {
  figures: [
    figure("41.2", { verdict: "printed", step: 2, line: 3, words: "mean 41.23" }),
    figure("99", { verdict: "not_found" }),
    figure("12", { verdict: "derived", how: "30 − 18", from: [0, 1] }),
  ],
  summary: { figures: 3, computed: 2, given: 0, not_found: 1 },
};

it("says how many figures were found, and lists the others first", async () => {
  const onOpenStep = vi.fn();
  const user = userEvent.setup();
  render(<EvidenceBadge checked={checked} onOpenStep={onOpenStep} />);
  await user.click(await screen.findByRole("button", { name: "2 of 3 figures found, 1 not" }));
  const list = await screen.findByRole("list", { name: "Figures" });
  expect(within(list).getAllByRole("listitem")).toHaveLength(1);
  expect(list.textContent).toContain("99");
  await user.click(screen.getByRole("radio", { name: "All (3)" }));
  expect(within(list).getAllByRole("listitem")).toHaveLength(3);
  await user.click(screen.getByRole("button", { name: "Open step 2" }));
  expect(onOpenStep.mock.calls).toEqual([[2, "mean 41.23"]]);
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("says nothing where there is no figure", () => {
  const none = { figures: 0, computed: 0, given: 0, not_found: 0 };
  const { container } = render(
    <EvidenceBadge checked={{ figures: [], summary: none }} onOpenStep={() => undefined} />,
  );
  expect(container.textContent).toBe("");
});

it("puts every verdict into words", () => {
  const verdicts: Verdict[] = [
    { verdict: "tabled", step: 2, path: "a.csv", row: 4, column: "mean" },
    { verdict: "tabled", step: 2, path: "a.csv", row: null, column: "number of rows of a" },
    { verdict: "written", step: 5 },
    { verdict: "chosen", step: 1, line: 7 },
    { verdict: "input", fact: "x.csv: number of rows: 9" },
    { verdict: "asked" },
  ];
  expect(verdicts.map(sourceOf)).toEqual([
    "In a.csv, row 4, mean",
    "From a.csv: number of rows of a",
    "Worked out by the code of step 5, which wrote the report",
    "Chosen in the code of step 1, line 7",
    "In the file: x.csv: number of rows: 9",
    "Your question says so",
  ]);
  expect(evidenceWords({ figures: 43, computed: 40, given: 3, not_found: 0 })).toBe(
    "All 43 figures found",
  );
});
