import type {
  Connections,
  ListedModel,
  LocalServer,
  Preset,
  Probe,
  Problem,
  RemoteModel,
  Settings,
} from "../../api/types";
import { settings } from "./profile";
import { remotes } from "./remotes";
import { pause, scene } from "./scene";

/** Models of the practice host: services, programs on this computer, and what a test of them shows. */

const hosted = (id: string, name: string, base_url: string, more: Partial<Preset>): Preset => ({
  id,
  name,
  base_url,
  wire: "chat_completions",
  place: "hosted",
  port: null,
  key_page: null,
  note: null,
  ...more,
});

const local = (id: string, name: string, port: number, note: string): Preset =>
  hosted(id, name, `http://127.0.0.1:${port}/v1`, { place: "local", port, note });

const presets: Preset[] = [
  hosted("openai", "OpenAI", "https://api.openai.com/v1", {
    wire: "responses",
    key_page: "https://platform.openai.com/api-keys",
  }),
  hosted("azure", "Azure OpenAI", "https://RESOURCE.openai.azure.com/openai/v1", {
    key_page: "https://ai.azure.com",
    note: "Put the name of your resource in place of RESOURCE. The model's name is the one of your deployment.",
  }),
  hosted("anthropic", "Anthropic", "https://api.anthropic.com/v1", {
    wire: "messages",
    key_page: "https://console.anthropic.com/settings/keys",
  }),
  hosted("mistral", "Mistral", "https://api.mistral.ai/v1", {
    key_page: "https://console.mistral.ai/api-keys",
  }),
  hosted("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", {
    key_page: "https://openrouter.ai/settings/keys",
  }),
  local(
    "ollama",
    "Ollama",
    11434,
    "Ollama reads only the end of a long conversation unless it is told otherwise: set OLLAMA_CONTEXT_LENGTH to 16384 or more before it starts.",
  ),
  local("lm_studio", "LM Studio", 1234, "Start the server in its Developer view."),
  hosted("other", "Another server", "", { place: "anywhere" }),
];

const row = (
  name: string,
  context_tokens: number | null,
  cost?: [number, number],
): ListedModel => ({
  name,
  context_tokens,
  price: cost === undefined ? null : { input: cost[0], output: cost[1] },
});

const servers: LocalServer[] = [
  {
    preset: "ollama",
    base_url: "http://127.0.0.1:11434/v1",
    models: [row("llama3.2:latest", null), row("qwen3:8b", null)],
  },
  { preset: "other", base_url: "http://127.0.0.1:8081/v1", models: [] },
];

/** As long as the list of a router, with prices. */
const many = Array.from({ length: 180 }, (_, at) =>
  row(`maker-${at % 12}/model-${at + 1}`, 8192 * (1 + (at % 16)), [(at % 9) / 4, (at % 9) * 1.5]),
);

const listed: Record<string, ListedModel[]> = {
  openai: [row("example-large", null), row("example-small", null), row("example-tiny", null)],
  openrouter: many,
  ollama: servers[0]?.models ?? [],
};

let kept: Settings = {
  ...settings,
  runtime: scene.sandbox === "hosted" ? "hosted" : settings.runtime,
  model: scene.model === "built_in" ? settings.model : remotes[scene.model],
};

const noKeychain: Problem = {
  code: "keychain",
  message: "This system has no keychain that Assay can use.",
  hint: "Keep the key for this session only, or in a private file.",
  detail: "org.freedesktop.secrets: no such name",
};

/** Keys are taken and never told, as the shell does it. */
export const keptSettings = {
  read: () => kept,
  write(given: Settings): void {
    const { key: hostedKey, ...provider } = given.hosted;
    const place = hostedKey === "" ? null : provider.key_place;
    const next = { ...given, hosted: { ...provider, key: null, key_place: place } };
    if (next.model.kind !== "remote") {
      kept = next;
      return;
    }
    const { key, ...model } = next.model;
    if (key && model.key_place === "keychain" && scene.keychain === "locked") throw noKeychain;
    const key_place = key === "" ? null : model.key_place;
    kept = { ...next, model: { ...model, key: null, key_place } };
  },
};

export async function connections(): Promise<Connections> {
  await pause(scene.pace);
  return {
    presets,
    key_places: scene.keychain === "none" ? ["session", "file"] : ["keychain", "session", "file"],
    local: scene.local === "none" ? [] : servers,
  };
}

const wrongKey: Problem = {
  code: "model",
  message: "The model's provider does not accept the key.",
  hint: "Check that it was copied whole, is meant for this provider, and has not expired.",
  detail: "HTTP 401",
};

export async function listModels(model: RemoteModel): Promise<ListedModel[]> {
  await pause(scene.pace * 2);
  if (model.key === "wrong") throw wrongKey;
  return listed[model.preset] ?? [];
}

const stopped: Problem = { code: "stopped", message: "Stopped.", hint: "", detail: "" };
let testing = 0;

export async function testModel(model: RemoteModel): Promise<Probe> {
  const mine = (testing += 1);
  const moments = scene.test === "endless" ? 10_000 : 6;
  for (let moment = 0; moment < moments; moment += 1) {
    await pause(scene.pace / 2);
    if (mine !== testing) throw stopped;
  }
  if (scene.test === "wrong_key" || model.key === "wrong") throw wrongKey;
  const isWeak = scene.test === "weak";
  return {
    streams: !isWeak,
    tools: isWeak ? null : model.preset === "ollama" ? "text" : "calls",
    images: model.images ? model.preset !== "ollama" : null,
    context_tokens: isWeak ? 4096 : model.preset === "ollama" ? 10_900 : null,
    first_piece_ms: 820,
  };
}

export function stopTest(): void {
  testing += 1;
}
