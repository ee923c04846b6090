import type { ModelSettings } from "../../api";

/** "built-in analyst (no AI)", "llama-3 at 127.0.0.1:8080" */
export function thinks(model: ModelSettings): string {
  if (model.kind === "built_in") return "built-in analyst (no AI)";
  const name = model.model.trim() || "a language model";
  const host = hostOf(model.base_url);
  return host === null ? `${name}, address missing` : `${name} at ${host}`;
}

export function hostOf(address: string): string | null {
  try {
    return new URL(address).host || null;
  } catch {
    return null;
  }
}

const nearby = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

/** What leaves this computer with such a model, said before the first run. */
export function sends(model: ModelSettings): string {
  if (model.kind === "built_in") {
    return "It follows fixed rules and statistics. It asks no other computer.";
  }
  const host = hostOf(model.base_url);
  const what =
    "your question, the description of the columns with the first rows, and what the steps print";
  if (host === null) return `The model is sent ${what}.`;
  return nearby.test(host)
    ? `The model runs on this computer. It is sent ${what}.`
    : `Sent to ${host}: ${what}.`;
}
