import type { HostedProvider, KeyPlace, Settings } from "../../api";
import { hostOf } from "../../shared";

/** A provider that is being set up; nothing of it counts before the person agrees. */
export interface Draft {
  address: string;
  model: string;
  key: string;
  /** Where a key that is typed now will be kept. */
  place: KeyPlace;
}

export const draftOf = (
  { base_url, model, key_place }: HostedProvider,
  places: KeyPlace[],
): Draft => ({
  address: base_url,
  model,
  key: "",
  place: key_place ?? places[0] ?? "session",
});

/** Where the provider's own key for this address is kept, if anywhere. */
export const keyAt = (address: string, { hosted }: Settings): KeyPlace | null =>
  hosted.base_url === address ? hosted.key_place : null;

/** Where the key is of the model at the same address, which then serves here too. */
export const keyBeside = (address: string, { model }: Settings): KeyPlace | null =>
  model.kind === "remote" && model.base_url === address ? model.key_place : null;

/** The provider as the shell is to know it. */
export function finished(draft: Draft, settings: Settings): HostedProvider {
  const base_url = draft.address.trim();
  const key = draft.key.trim() || null;
  return {
    base_url,
    model: draft.model.trim(),
    key,
    key_place: key === null ? keyAt(base_url, settings) : draft.place,
  };
}

/** What the person has not said yet, in words; empty when all is there. */
export function missing(draft: Draft, settings: Settings): string {
  const { base_url, model, key, key_place } = finished(draft, settings);
  const isAddress = /^https?:/.test(base_url) && hostOf(base_url) !== null;
  const hasKey = key !== null || key_place !== null || keyBeside(base_url, settings) !== null;
  const what = [
    ...(isAddress ? [] : ["the address"]),
    ...(model === "" ? ["the model"] : []),
    ...(hasKey ? [] : ["the key"]),
  ];
  return what.length === 0 ? "" : `Still missing: ${what.join(" and ")}.`;
}
