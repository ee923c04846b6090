import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import type { Settings } from "../../api";
import { setPlatform } from "../../platform";
import { settings } from "../../platform/mock/profile";
import { AskConsent, Provider, ProviderSetUp } from ".";
import { draftOf, finished, missing } from "./draft";

const caveat = "The files are copied to the provider.";

let agreed: string[];
let saved: Partial<Settings>[];

const save = async (part: Partial<Settings>) => void saved.push(part);

beforeEach(() => {
  agreed = [];
  saved = [];
  const answers: Record<string, (args: Record<string, unknown>) => unknown> = {
    connections: () => ({ presets: [], servers: [], key_places: ["session"] }),
    settings: () => settings,
    hosted_terms: ({ address }) => ({
      caveats: [caveat],
      agreed_at: agreed.includes(address as string) ? "2026-11-30T12:00:00.000Z" : null,
    }),
    agree_to_hosted: ({ address }) => {
      agreed.push(address as string);
      return null;
    },
    withdraw_from_hosted: ({ address }) => {
      agreed = agreed.filter((each) => each !== address);
      return null;
    },
  };
  setPlatform({
    invoke: async <Answer,>(name: string, args: Record<string, unknown> = {}) =>
      (await answers[name]?.(args)) as Answer,
    listen: () => () => undefined,
    channel: (take) => take,
    artifactUrl: () => "",
  });
});

function setUp(onDone = () => undefined) {
  render(
    <ProviderSetUp settings={settings} onSave={save} onDone={onDone} onNotNow={() => undefined} />,
  );
}

test("a provider is used only after the warning was agreed to, for its own address", async () => {
  setUp();
  const address = await screen.findByRole("textbox", { name: "Address of the provider" });
  await userEvent.clear(address);
  await userEvent.type(address, "https://box.example.org/v1");
  expect(await screen.findByText(/are sent to box.example.org, where the code runs/)).toBeDefined();
  expect(await screen.findByText(caveat)).toBeDefined();
  const agree = () =>
    screen.getByRole("button", { name: "Let the files leave for box.example.org" });
  expect(agree().getAttribute("aria-disabled") ?? agree().hasAttribute("disabled")).toBeTruthy();
  expect(screen.getByText("Still missing: the key.")).toBeDefined();
  await userEvent.click(agree());
  expect(agreed).toEqual([]);

  await userEvent.type(screen.getByLabelText("Key"), "sk-typed");
  await userEvent.click(agree());
  expect(agreed).toEqual(["https://box.example.org/v1"]);
  expect(saved).toEqual([
    {
      runtime: "hosted",
      hosted: {
        base_url: "https://box.example.org/v1",
        model: settings.hosted.model,
        key: "sk-typed",
        key_place: "session",
      },
    },
  ]);
});

test("files stay here again at a press", async () => {
  agreed = [settings.hosted.base_url];
  render(<Provider settings={settings} onSave={save} onChange={() => undefined} />);
  await userEvent.click(screen.getByRole("button", { name: "Files stay here again" }));
  expect(agreed).toEqual([]);
  expect(saved).toEqual([{ runtime: "auto" }]);
});

test("where the consent is missing when a question is asked, it is asked for", async () => {
  let went = 0;
  render(<AskConsent onAgreed={() => (went += 1)} />);
  expect(await screen.findByText(caveat)).toBeDefined();
  await userEvent.click(screen.getByRole("button", { name: /Let the files leave for/ }));
  expect(agreed).toEqual([settings.hosted.base_url]);
  expect(went).toBe(1);
});

test("a key belongs to the address that it was kept for", () => {
  const kept: Settings = { ...settings, hosted: { ...settings.hosted, key_place: "keychain" } };
  const draft = draftOf(kept.hosted, ["session"]);
  expect(missing(draft, kept)).toBe("");
  const elsewhere = { ...draft, address: "https://other.example.org/v1" };
  expect(finished(elsewhere, kept).key_place).toBeNull();
  expect(missing(elsewhere, kept)).toBe("Still missing: the key.");
  expect(missing({ ...draft, address: "box", model: " " }, settings)).toContain("the address");
});
