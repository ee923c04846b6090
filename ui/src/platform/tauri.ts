import { Channel, convertFileSrc, invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";
import type { Platform } from "./platform";

/** Listeners that are being registered. The shell speaks of its own accord only after `ui_ready`. */
const registering = new Set<Promise<unknown>>();

/** The desktop shell. */
export const tauri: Platform = {
  async invoke<Answer>(name: string, args?: Record<string, unknown>) {
    if (name === "ui_ready") {
      await new Promise((resolve) => setTimeout(resolve));
      await Promise.all(registering);
    }
    return invoke<Answer>(name, args);
  },
  listen<Payload>(event: string, take: (payload: Payload) => void) {
    const stopped = listen<Payload>(event, (message) => take(message.payload));
    registering.add(stopped);
    void stopped.finally(() => registering.delete(stopped));
    return () => void stopped.then((stop) => stop());
  },
  channel<Message>(take: (message: Message) => void) {
    return new Channel<Message>(take);
  },
  artifactUrl(run, path, version) {
    // The scheme is an own host on Windows and Android; the shell knows which.
    const root = convertFileSrc("", "artifact");
    const place = [run, ...path.split("/")].map(encodeURIComponent).join("/");
    return `${root}${place}${version === undefined ? "" : `?v=${version}`}`;
  },
};
