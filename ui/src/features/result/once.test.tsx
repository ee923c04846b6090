import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { setPlatform } from "../../platform";
import { mock } from "../../platform/mock";
import { RunScreen } from "../run/RunScreen";

const readings = vi.hoisted(() => ({ count: 0 }));
vi.mock("./pictures", () => ({
  writtenPictures: () => () => {
    readings.count += 1;
  },
}));

it("a report is read once, whatever is opened beside it", async () => {
  setPlatform(mock);
  render(<RunScreen runId="run-energy" onBack={vi.fn()} onSettings={vi.fn()} />);
  await screen.findByRole("heading", { name: "Unusual energy use" });
  await userEvent.click(screen.getByRole("tab", { name: /Charts/ }));
  await userEvent.click(screen.getByRole("button", { name: /Unusual periods/ }));
  await userEvent.keyboard("{Escape}");
  await userEvent.click(screen.getByRole("tab", { name: "Report" }));
  await userEvent.click(screen.getAllByRole("button", { name: /^Step 1:/ })[0] as HTMLElement);
  await userEvent.keyboard("{Escape}");
  expect(readings.count).toBe(1);
});
