import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { profile } from "../../platform/mock/profile";
import { HowRead, type ReadingSettings } from "./HowRead";

function shown(settings: ReadingSettings = {}) {
  const asked: ReadingSettings[] = [];
  const set = { ...profile, settings: settings as unknown as typeof profile.settings };
  render(<HowRead file="a.csv" profile={set} onSet={(next) => asked.push(next)} />);
  return asked;
}

test("a decision is flipped by choosing what else it could be, and taken back", async () => {
  const user = userEvent.setup();
  const asked = shown({ "omit:outdoor_temp_c": "yes" });
  expect(screen.getByText("Comma")).toBeDefined();
  await user.selectOptions(screen.getByLabelText("Encoding"), "Windows-1252");
  expect(asked).toEqual([{ "omit:outdoor_temp_c": "yes", encoding: "windows-1252" }]);
  await user.click(screen.getByRole("button", { name: "As the file says itself" }));
  expect(asked[1]).toEqual({});
});

test("columns are left out, renamed and read as something else; the rows are accounted for", async () => {
  const user = userEvent.setup();
  const asked = shown();
  expect(screen.queryByRole("button", { name: "As the file says itself" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Columns and reasons" }));
  await user.click(screen.getByLabelText("Use energy_kwh"));
  const name = screen.getByLabelText("Name for energy_kwh");
  await user.clear(name);
  await user.type(name, "load{Enter}");
  await user.selectOptions(screen.getByLabelText("Values of energy_kwh"), "Text");
  expect(asked.slice(0, 3)).toEqual([
    { "omit:energy_kwh": "yes" },
    { "name:energy_kwh": "load" },
    { "type:energy_kwh": "text" },
  ]);
  const rows = screen.getByRole("list", { name: "What became of the rows" });
  expect(within(rows).getByText("8,760 rows read")).toBeDefined();
});
