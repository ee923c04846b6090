import type { Platform } from "../platform";
import { commands } from "./commands";
import { pictureOf } from "./run";
import { hear, type Sink } from "./wire";

/** A practice host for browsers and tests: the calls of the shell, answered from the sample. */
export const mock: Platform = {
  async invoke<Answer>(name: string, args: Record<string, unknown> = {}) {
    const command = commands[name];
    if (command === undefined) throw new Error(`The practice host knows no ${name}.`);
    return structuredClone((await command(args)) ?? null) as Answer;
  },
  listen<Payload>(event: string, take: (payload: Payload) => void) {
    return hear(event, take as Sink);
  },
  channel<Message>(take: (message: Message) => void) {
    return take;
  },
  artifactUrl(_run, path) {
    return pictureOf(path);
  },
};
