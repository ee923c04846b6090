import type { Readiness } from "../api";

const here = /^(unix:|npipe:|tcp:\/\/(localhost|127\.[\d.]+|\[::1\])(:|$))/;

/** Whether an engine at this address is one of this computer. */
export const isHere = (address: string) => here.test(address);

/** "Docker 20.10.24": what was added to a version when it was packed is left out. */
const plain = (engine: string) => engine.replace(/\+\S*/, "");

/** Where code runs, in a few words. `name` is what an engine of the list is called. */
export function placeWords(ready: Readiness, name: string | null = null): string {
  const engine = plain(ready.engine);
  if (name !== null) return `engine “${name}” (${engine})`;
  if (ready.runtime === "local") return `sealed by this computer (${engine})`;
  return isHere(ready.address) ? `${engine} on this computer` : `${engine} at ${ready.address}`;
}
