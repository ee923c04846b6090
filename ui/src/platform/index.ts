import type { Platform } from "./platform";
import { tauri } from "./tauri";

export type { Platform } from "./platform";

let chosen: Platform | null = null;

/** Picks the desktop shell where there is one, else the practice host. Called once, before paint. */
export async function openPlatform(): Promise<void> {
  chosen = "__TAURI_INTERNALS__" in window ? tauri : (await import("./mock")).mock;
}

/** Puts another host in place; for tests. */
export function setPlatform(host: Platform): void {
  chosen = host;
}

export function platform(): Platform {
  if (chosen === null) throw new Error("The platform is not open yet.");
  return chosen;
}
