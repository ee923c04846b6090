const docker =
  "The engine that makes such rooms is Docker, a free program that is used for this all over the world. Assay does not bring its own.";
const makers: Record<string, string> = {
  local:
    "Here this computer makes such rooms by itself, with a small program of the system that is called bubblewrap. Docker is not needed for it.",
  hosted:
    "You have chosen a provider who has such rooms on computers of its own. So the files are sent there, and what the rooms hold and keep out is the provider’s word.",
};

/** What the sandbox is and what makes it, for somebody who has never heard of it. */
export const whatIsIt = (runtime: string) => [
  "Assay answers by writing small programs and running them on your data. They run in a sealed sandbox: a closed room that holds a copy of the files you dropped and no way to the network.",
  makers[runtime] ?? docker,
];

/** What making a sandbox takes. */
export const whatItTakes = (runtime: string) =>
  runtime === "local"
    ? "It is made once from Python and the tools for tables and charts; that takes a few minutes and about 750 MB. If you would rather use Docker, start it: it then goes first."
    : "It is made once; that takes a few minutes and about 900 MB.";

const short: Record<string, string> = {
  engine_missing: "needs Docker first",
  engine_stopped: "the engine is not running",
  engine_forbidden: "not permitted yet",
  engine_unusable: "the engine cannot be used",
  image: "the sandbox has to be made first",
  other_image: "the chosen image cannot be used",
};

/** A trouble in the few words that fit on the desk. */
export function inShort(code: string, runtime: string): string {
  if (runtime !== "hosted") return short[code] ?? "not ready";
  return code === "consent_missing"
    ? "a provider’s containers, once you have agreed"
    : "a provider’s containers, which are not ready";
}

export interface Remedy {
  /** What to do, in a sentence. */
  say: string;
  /** What to type into a terminal or a browser. */
  type: string;
}

/** How to get Docker on this system. */
export function installing(agent = navigator.userAgent): Remedy {
  if (/Linux/.test(agent) && !/Android/.test(agent)) {
    return {
      say: "Install it with the software centre, or type this into a terminal:",
      type: "sudo apt install docker.io",
    };
  }
  return {
    say: "Get Docker Desktop from this address, install it and start it once:",
    type: "https://www.docker.com/products/docker-desktop",
  };
}

export const permitting: Remedy = {
  say: "Type this into a terminal, then log out and in again:",
  type: "sudo usermod -aG docker $USER",
};
