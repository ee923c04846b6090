import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { Problem } from "../../api";
import { setPlatform, type Platform } from "../../platform";
import { ImageMaking } from "./ImageMaking";

const stopped: Problem = {
  code: "stopped",
  message: "Making the sandbox was stopped.",
  hint: "What is done so far is kept.",
  detail: "",
};

/** A build that says one line and ends when it is stopped, or is let finish. */
function host() {
  let end = { done: () => {}, stop: () => {} };
  const platform: Platform = {
    invoke<Answer>(name: string, args: Record<string, unknown> = {}) {
      if (name === "stop_build") {
        end.stop();
        return Promise.resolve(null as Answer);
      }
      (args.channel as (message: { line: string }) => void)({ line: "Layer 1 of 3" });
      return new Promise<Answer>((resolve, reject) => {
        end = { done: () => resolve(null as Answer), stop: () => reject(stopped) };
      });
    },
    listen: () => () => {},
    channel: (take) => take,
    artifactUrl: () => "",
  };
  return { platform, finish: () => end.done() };
}

test("shows how the making goes on, stops, and makes again", async () => {
  const { platform, finish } = host();
  setPlatform(platform);
  const onMade = vi.fn();
  const user = userEvent.setup();
  render(<ImageMaking engine={{ kind: "usual" }} onMade={onMade} />);

  await user.click(screen.getByRole("button", { name: "Make the sandbox" }));
  expect(screen.getByLabelText("Progress").textContent).toBe("Layer 1 of 3");
  await user.click(screen.getByRole("button", { name: "Stop" }));
  expect(await screen.findByText("Making the sandbox was stopped.")).toBeDefined();
  expect(onMade).not.toHaveBeenCalled();

  await user.click(screen.getByRole("button", { name: "Go on making the sandbox" }));
  finish();
  await vi.waitFor(() => expect(onMade).toHaveBeenCalledTimes(1));
});
