import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { setPlatform } from "../../../platform";
import { mock } from "../../../platform/mock";
import { RunScreen } from "../../run/RunScreen";

const drawings = vi.hoisted(() => ({ count: 0 }));
vi.mock("./Table", () => ({
  Table: () => {
    drawings.count += 1;
    return null;
  },
}));

it("a report is drawn once, whatever is opened beside it and when its figures are marked", async () => {
  setPlatform(mock);
  render(
    <RunScreen runId="run-energy" onBack={vi.fn()} onOpenRun={vi.fn()} onSettings={vi.fn()} />,
  );
  await screen.findByRole("heading", { name: "Unusual energy use" });
  await userEvent.click(screen.getByRole("tab", { name: /Charts/ }));
  await userEvent.click(screen.getByRole("button", { name: /Unusual periods/ }));
  await userEvent.keyboard("{Escape}");
  await userEvent.click(screen.getByRole("tab", { name: "Report" }));
  await userEvent.click(screen.getAllByRole("button", { name: /^Step 1:/ })[0] as HTMLElement);
  await userEvent.keyboard("{Escape}");
  await userEvent.click(await screen.findByRole("button", { name: "0.733" }));
  await screen.findByRole("dialog", { name: /^0.733/ });
  expect(drawings.count).toBe(1);
});
