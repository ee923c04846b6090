import type { KeyPlace, ModelSettings, Probe, RemoteModel, Rows } from "../../api";
import { duration, hostOf, inWords } from "../../shared";

/** "built-in analyst (no AI)", "llama-3 at 127.0.0.1:8080" */
export function thinks(model: ModelSettings): string {
  if (model.kind === "built_in") return "built-in analyst (no AI)";
  const name = model.model.trim() || "a language model";
  const host = hostOf(model.base_url);
  return host === null ? `${name}, address missing` : `${name} at ${host}`;
}

const nearby = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

/** Whether an address is one of this computer. */
export const isNearby = (address: string) => nearby.test(hostOf(address) ?? "");

/** What a model gets to read of the files, without a promise that the engine does not keep. */
const told: Record<Rows, string> = {
  shown:
    "your question, the description of the columns with the first rows, and what the steps print",
  kept_here:
    "your question, the names of files and columns, types, figures and dates, and what the steps print, with stand-ins for the words in cells",
};

/** What leaves this computer with such a model, said before the first run. */
export function sends(model: ModelSettings, rows: Rows): string {
  if (model.kind === "built_in") {
    return "It follows fixed rules and statistics. It asks no other computer.";
  }
  const host = hostOf(model.base_url);
  if (host === null) return `The model is sent ${told[rows]}.`;
  return isNearby(model.base_url)
    ? `The model runs on this computer. It is sent ${told[rows]}.`
    : `Sent to ${host}: ${told[rows]}.`;
}

/** Where a key can be kept, in words for the choice of the place. */
export const places: Record<KeyPlace, { label: string; hint: string; warning?: string }> = {
  keychain: {
    label: "In this computer’s keychain",
    hint: "Locked with your login, as passwords are. The best place.",
  },
  session: {
    label: "For this session only",
    hint: "Forgotten when Assay is closed; paste it again next time.",
  },
  file: {
    label: "In a private file on this computer",
    hint: "Stays until you forget it.",
    warning: "Whoever can read your files can read the key.",
  },
};

const kept: Record<KeyPlace, string> = {
  keychain: "Its key is in this computer’s keychain.",
  session: "Its key is kept until Assay is closed.",
  file: "Its key is in a private file on this computer. Whoever can read your files can read it.",
};

/** Where the key of a connected model or provider is, or that there is none. */
export function keyWords({ key_place, base_url }: Pick<RemoteModel, "key_place" | "base_url">) {
  if (key_place !== null) return kept[key_place];
  return isNearby(base_url) ? "It is asked without a key." : "No key is kept for it.";
}

/** What a test has shown. What is `short` keeps a model from doing all it could. */
export interface Finding {
  tone: "good" | "short" | "bad";
  text: string;
}

/** With less than this an analysis has to forget what it saw, in tokens. */
const LITTLE = 16_000;

/** The result of a test, a plain sentence each. */
export function probeWords(probe: Probe): Finding[] {
  return [toolWords(probe), streamWords(probe), imageWords(probe), contextWords(probe)].concat({
    tone: probe.first_piece_ms > 30_000 ? "short" : "good",
    text: `Its first word came after ${duration(probe.first_piece_ms)}.`,
  });
}

function toolWords({ tools }: Probe): Finding {
  if (tools === "calls") return { tone: "good", text: "It runs code by itself." };
  if (tools === "text") return { tone: "good", text: "It runs code that it writes into its text." };
  return {
    tone: "bad",
    text: "It answered, but ran no code when it should have. An analysis will hardly work with it; choose another model.",
  };
}

const streamWords = ({ streams }: Probe): Finding =>
  streams
    ? { tone: "good", text: "It streams: its words appear as it writes them." }
    : { tone: "short", text: "It does not stream: each answer appears when it is whole." };

function imageWords({ images }: Probe): Finding {
  if (images === null) return { tone: "short", text: "It is not shown charts." };
  return images
    ? { tone: "good", text: "It sees charts, so it can check what it has drawn." }
    : { tone: "short", text: "It does not see charts. It draws them without looking." };
}

function contextWords({ context_tokens }: Probe): Finding {
  if (context_tokens === null) {
    return { tone: "short", text: "Its server does not say how much it can read at once." };
  }
  const text = `It can read ${inWords(context_tokens)} at once.`;
  return context_tokens < LITTLE
    ? { tone: "short", text: `${text} That is little: in long work, older results are shortened.` }
    : { tone: "good", text };
}

/** What keeping rows back means for one question, in the space of a line. */
export const rowWords: Record<Rows, string> = {
  shown: "The model is shown some rows and whatever its steps print.",
  kept_here:
    "The model gets names, types and figures, stand-ins for the words in cells, and no charts.",
};
