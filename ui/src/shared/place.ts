import type { Readiness } from "../api";

const here = /^(unix:|npipe:|tcp:\/\/(localhost|127\.[\d.]+|\[::1\])(:|$))/;

/** Whether an engine at this address is one of this computer. */
export const isHere = (address: string) => here.test(address);

/** "Docker 20.10.24": what was added to a version when it was packed is left out. */
const plain = (engine: string) => engine.replace(/\+\S*/, "");

/** "api.example.org" of an address; null where there is none in it. */
export function hostOf(address: string): string | null {
  try {
    return new URL(address).host || null;
  } catch {
    return null;
  }
}

/** Where code runs that a provider runs, and that the files go there. */
export const hostedWords = (address: string) =>
  `a provider’s containers; the files are sent to ${hostOf(address) ?? address}`;

/** Where code runs, in a few words. `name` is what an engine of the list is called. */
export function placeWords(ready: Readiness, name: string | null = null): string {
  const engine = plain(ready.engine);
  if (name !== null) return `engine “${name}” (${engine})`;
  if (ready.runtime === "hosted") return hostedWords(ready.address);
  if (ready.runtime === "local") return `sealed by this computer (${engine})`;
  return isHere(ready.address) ? `${engine} on this computer` : `${engine} at ${ready.address}`;
}
