import { Channel, convertFileSrc, invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";
import type { Platform } from "./platform";

/** The desktop shell. */
export const tauri: Platform = {
  invoke,
  listen<Payload>(event: string, take: (payload: Payload) => void) {
    const stopped = listen<Payload>(event, (message) => take(message.payload));
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
