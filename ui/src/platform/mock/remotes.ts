import type { ModelSettings } from "../../api/types";

/** Language models that are connected already, where the scene says so. */
export const remotes: Record<"openai" | "ollama", ModelSettings> = {
  openai: {
    kind: "remote",
    preset: "openai",
    wire: "responses",
    base_url: "https://api.openai.com/v1",
    model: "example-large",
    images: true,
    tools: null,
    guidance: null,
    prices: { input_microdollars: 3_000_000, output_microdollars: 15_000_000 },
    key_place: "keychain",
    key: null,
  },
  ollama: {
    kind: "remote",
    preset: "ollama",
    wire: "chat_completions",
    base_url: "http://127.0.0.1:11434/v1",
    model: "qwen3:8b",
    images: false,
    tools: null,
    guidance: null,
    prices: null,
    key_place: null,
    key: null,
  },
};
