import type { KeyPlace, ListedModel, Preset, RemoteModel } from "../../../api";

/** A model that is being connected; nothing of it counts before it is used. */
export interface Draft {
  model: RemoteModel;
  /** Where a key that is typed now will be kept. */
  place: KeyPlace;
  /** The model as it is set now, whose key serves the same address. */
  before: RemoteModel | null;
}

/** What a service has to be told, and what is known of it. */
export function draftOf(preset: Preset, places: readonly KeyPlace[]): Draft {
  const model: RemoteModel = {
    preset: preset.id,
    wire: preset.wire,
    base_url: preset.base_url,
    model: "",
    images: false,
    tools: null,
    guidance: null,
    prices: null,
    key_place: null,
    key: null,
  };
  return { model, place: places[0] ?? "session", before: null };
}

/** The model that is set now, to be changed. */
export function draftFrom(before: RemoteModel, places: readonly KeyPlace[]): Draft {
  const place = before.key_place ?? places[0] ?? "session";
  return { model: { ...before, key: null }, place, before };
}

/** A model of a program on this computer, ready to be used as it is. */
export function localModel(preset: string, base_url: string, row: ListedModel): RemoteModel {
  return {
    preset,
    wire: "chat_completions",
    base_url,
    model: row.name,
    images: false,
    tools: null,
    guidance: null,
    prices: null,
    key_place: null,
    key: null,
  };
}

/** Where the key is that goes with the draft's address already, if anywhere. */
export function keptPlace({ model, before }: Draft): KeyPlace | null {
  return before !== null && before.base_url === model.base_url ? before.key_place : null;
}

/** The model as the shell is to know it: the address and name without blanks, and its key's true place. */
export function finished(draft: Draft): RemoteModel {
  const { model, place } = draft;
  const key = model.key?.trim() || null;
  return {
    ...model,
    base_url: model.base_url.trim(),
    model: model.model.trim(),
    key,
    key_place: key === null ? keptPlace(draft) : place,
  };
}

/** A part of a preset's address in capitals is the person's own. */
const ownPart = ({ base_url }: Preset) => /\b[A-Z]{3,}\b/.exec(base_url)?.[0] ?? null;

/** Whether the person has to say something about the address. */
export const asksAddress = (preset: Preset) =>
  preset.place !== "hosted" || ownPart(preset) !== null;

function isAddress(address: string, preset: Preset): boolean {
  const part = ownPart(preset);
  return /^https?:\/\/[^/]/.test(address) && (part === null || !address.includes(part));
}

/** What the person has not said yet. */
export type Missing = "address" | "key" | "model";

export function missing(draft: Draft, preset: Preset): Missing[] {
  const { base_url, key, key_place, model } = finished(draft);
  const found: Missing[] = [];
  if (!isAddress(base_url, preset)) found.push("address");
  if (preset.place === "hosted" && key === null && key_place === null) found.push("key");
  if (model === "") found.push("model");
  return found;
}

/** Whether enough is known to ask the server for its models. */
export const canList = (draft: Draft, preset: Preset) =>
  missing(draft, preset).every((what) => what === "model");

/** Whether enough is known to ask the model. A key may also come with the program's surroundings. */
export const canAsk = (draft: Draft, preset: Preset) =>
  missing(draft, preset).every((what) => what === "key");

/** What changes when a model is chosen: its price is known where the list says it, else it is not. */
export function chosen(name: string, row: ListedModel | null): Partial<RemoteModel> {
  const price = row?.price ?? null;
  return {
    model: name,
    prices:
      price === null
        ? null
        : {
            input_microdollars: Math.round(price.input * 1e6),
            output_microdollars: Math.round(price.output * 1e6),
          },
  };
}

/** The rows whose names hold every word that was typed, the best first. */
export function matching(rows: readonly ListedModel[], typed: string): ListedModel[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
  const begins = ({ name }: ListedModel) => name.toLowerCase().startsWith(words[0] ?? "");
  return [...found.filter(begins), ...found.filter((row) => !begins(row))];
}
