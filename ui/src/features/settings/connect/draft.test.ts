import { expect, test } from "vitest";
import type { Preset } from "../../../api";
import { asksAddress, canAsk, canList, draftFrom, draftOf, finished, missing } from "./draft";

const azure: Preset = {
  id: "azure",
  name: "Azure OpenAI",
  base_url: "https://RESOURCE.openai.azure.com/openai/v1",
  wire: "chat_completions",
  place: "hosted",
  port: null,
  key_page: null,
  note: null,
};

const fresh = draftOf(azure, ["session", "file"]);
const with_ = (part: Partial<typeof fresh.model>) => ({
  ...fresh,
  model: { ...fresh.model, ...part },
});

test("says what a service has still to be told, its own part of the address first", () => {
  expect(asksAddress(azure)).toBe(true);
  expect(missing(fresh, azure)).toEqual(["address", "key", "model"]);
  const base_url = "https://ours.openai.azure.com/API/v1";
  expect(missing(with_({ base_url }), azure)).toEqual(["key", "model"]);
  expect(canList(with_({ base_url, key: "k" }), azure)).toBe(true);
  expect(canAsk(with_({ base_url, model: "gpt" }), azure)).toBe(true);
  expect(canAsk(with_({ base_url: "ours", model: "gpt" }), azure)).toBe(false);
});

test("a key's place is claimed only where the key is", () => {
  expect(finished(fresh).key_place).toBeNull();
  expect(finished(with_({ key: " k " }))).toMatchObject({ key: "k", key_place: "session" });
  const kept = { ...fresh.model, base_url: "https://a.example/v1", key_place: "file" as const };
  const changed = draftFrom(kept, ["keychain"]);
  expect(finished(changed)).toMatchObject({ key: null, key_place: "file" });
  const moved = { ...changed, model: { ...changed.model, base_url: "https://b.example/v1" } };
  expect(finished(moved).key_place).toBeNull();
});
