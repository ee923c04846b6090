import type {
  EngineFacts,
  EngineSeen,
  Engines,
  Finding,
  Limit,
  ListedEngine,
  Problem,
  SandboxProof,
} from "../../api/types";
import { pause, scene } from "./scene";

/** The engines of the practice host, and what a look into its sandbox shows. */

const facts: EngineFacts = {
  product: "Docker",
  version: "29.1.0",
  system: "Debian GNU/Linux 13 (trixie)",
  host: "desk",
  architecture: "x86_64",
  cpus: 8,
  memory_mib: 15_900,
};

const absent = (origin: string, address: string): EngineSeen => ({
  address,
  origin,
  state: "absent",
  reason: "nothing is there",
  facts: null,
});

function found(): EngineSeen[] {
  const far = [
    absent("Colima", "unix:///home/you/.colima/default/docker.sock"),
    absent("rootless Podman", "unix:///run/user/1000/podman/podman.sock"),
  ];
  const socket = "unix:///var/run/docker.sock";
  if (scene.sandbox === "local") return [absent("Docker", socket), ...far];
  return [
    { address: socket, origin: "Docker", state: "chosen", reason: "", facts },
    {
      address: "unix:///run/podman/podman.sock",
      origin: "Podman",
      state: "answers",
      reason: "Docker comes first",
      facts: { ...facts, product: "Podman", version: "5.4.1" },
    },
    {
      address: "tcp://old:2375",
      origin: "the context old",
      state: "stopped",
      reason: "it does not answer",
      facts: null,
    },
    ...far,
  ];
}

let list: ListedEngine[] =
  scene.engines === "none"
    ? []
    : [
        { name: "big box", address: "ssh://ann@box", certificates: null, runs_at_once: 2 },
        { name: "attic", address: "tcp://attic:2376", certificates: null, runs_at_once: 1 },
      ];

export async function engines(): Promise<Engines> {
  await pause(scene.pace);
  const listed = list.map((engine, at): Engines["listed"][number] => ({
    engine,
    seen:
      at === 0
        ? {
            address: engine.address,
            origin: "the setting",
            state: "chosen",
            reason: "",
            facts: { ...facts, host: "box", cpus: 64, memory_mib: 257_000 },
          }
        : {
            address: engine.address,
            origin: "the setting",
            state: "stopped",
            reason: "it does not answer",
            facts: null,
          },
    runs: at === 0 ? 1 : 0,
  }));
  return { found: found(), listed };
}

export function listEngines(next: ListedEngine[]): null {
  const nameless = next.find(({ name }) => name.trim() === "");
  if (nameless !== undefined) {
    throw {
      code: "input",
      message: "`` cannot be the name of an engine.",
      hint: "Use letters, digits, spaces, and the signs - _ . within the name.",
      detail: "",
    } satisfies Problem;
  }
  list = next;
  return null;
}

const holding = (limit: Limit, asked: string, seen = asked): Finding => ({
  limit,
  asked,
  found: seen,
  verdict: "holds",
});

const stopped: Problem = {
  code: "stopped",
  message: "Stopped.",
  hint: "What was finished is kept.",
  detail: "",
};

let end: (() => void) | null = null;

export async function proveSandbox(): Promise<SandboxProof> {
  await new Promise<void>((resolve, reject) => {
    end = () => reject(stopped);
    if (scene.proof !== "endless") setTimeout(resolve, scene.pace * 4);
  });
  const isLocal = scene.sandbox === "local";
  return {
    runtime: isLocal ? "local" : "docker",
    engine_runtimes: isLocal ? [] : ["runc"],
    findings: [
      holding("user", "not root", "user 65534"),
      {
        limit: "network",
        asked: "none",
        found: scene.proof === "broken" ? "eth0" : "none",
        verdict: scene.proof === "broken" ? "broken" : "holds",
      },
      holding("memory", "2048 MiB"),
      {
        limit: "files",
        asked: "100000",
        found: isLocal ? "no limit" : "100000",
        verdict: isLocal ? "not_enforced" : "holds",
      },
      holding("mounts", "no programs, devices or setuid files"),
    ],
  };
}

export function stopProof(): null {
  end?.();
  return null;
}
