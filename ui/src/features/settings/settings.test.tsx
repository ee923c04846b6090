import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import type { ModelSettings } from "../../api";
import { setPlatform } from "../../platform";
import { mock } from "../../platform/mock";
import { ModelChoice } from "./ModelChoice";
import { sends, thinks } from "./words";

const remote = (base_url: string): ModelSettings => ({
  kind: "chat_completions",
  base_url,
  model: "small",
  images: false,
  key: null,
});

beforeEach(() => setPlatform(mock));

test("names what thinks, and where", () => {
  expect(thinks({ kind: "built_in" })).toBe("built-in analyst (no AI)");
  expect(thinks(remote("http://127.0.0.1:8080/v1"))).toBe("small at 127.0.0.1:8080");
  expect(thinks(remote("not an address"))).toBe("small, address missing");
});

test("says what leaves this computer, and that nothing does with a model on it", () => {
  expect(sends(remote("http://localhost:8080/v1"))).toContain("runs on this computer");
  expect(sends(remote("https://localhost.example.org/v1"))).toContain(
    "Sent to localhost.example.org:",
  );
});

function Chooser({ heard }: { heard: (model: ModelSettings) => void }) {
  const [model, setModel] = useState<ModelSettings>({ kind: "built_in" });
  const change = (next: ModelSettings) => {
    heard(next);
    setModel(next);
  };
  return <ModelChoice model={model} keyKept={false} onChange={change} />;
}

test("an address counts when the person is done with it, and the model can be tried", async () => {
  const heard = vi.fn();
  const user = userEvent.setup();
  render(<Chooser heard={heard} />);
  await user.click(screen.getByRole("radio", { name: "A language model" }));
  const check = screen.getByRole("button", { name: "Check" });
  expect(check).toHaveProperty("disabled", true);
  heard.mockClear();
  await user.type(screen.getByLabelText("Address"), "http://localhost:1/v1");
  expect(heard).not.toHaveBeenCalled();
  await user.tab();
  expect(heard).toHaveBeenCalledTimes(1);
  await user.type(screen.getByLabelText("Model"), "small{Enter}");
  await user.click(check);
  expect(await screen.findByText(/answered/, {}, { timeout: 3000 })).toBeDefined();
  expect(heard).toHaveBeenLastCalledWith(remote("http://localhost:1/v1"));
});
