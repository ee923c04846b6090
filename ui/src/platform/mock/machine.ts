import type { Diagnosis, Problem, Readiness } from "../../api/types";
import { keptSettings } from "./connect";
import { consentProblem, hostedGaps } from "./hosted";
import { pause, scene } from "./scene";

/** The engine and the sandbox of the practice host, which can be missing and can be mended. */
let engine = scene.engine;
let image = scene.image;
let building = false;

const engineProblems: Record<string, Problem> = {
  missing: {
    code: "engine_missing",
    message: "The sandbox needs the Docker engine, and none is installed here.",
    hint: "Install Docker, then come back; this page notices by itself.",
    detail: "no socket at /var/run/docker.sock; `docker` is not on the path",
  },
  stopped: {
    code: "engine_stopped",
    message: "The sandbox engine (Docker) is not running.",
    hint: "Start it.",
    detail: "connect /var/run/docker.sock: connection refused",
  },
  forbidden: {
    code: "engine_forbidden",
    message: "The sandbox engine (Docker) runs, but you may not use it.",
    hint: "Add the account to the docker group, then log in again.",
    detail: "connect /var/run/docker.sock: permission denied",
  },
};

const imageProblem: Problem = {
  code: "image",
  message: "The sandbox has not been made on this computer yet.",
  hint: "The app makes it; it takes a few minutes, once.",
  detail: "no such image: assay-sandbox:1",
};

const docker: Readiness = {
  runtime: "docker",
  engine: "Docker 29.1.0",
  address: "unix:///var/run/docker.sock",
  image: "assay-sandbox:1",
  image_bytes: 900_000_000,
  gaps: [],
};

const local: Readiness = {
  runtime: "local",
  engine: "bubblewrap 0.8.0",
  address: "this computer",
  image: "python3.11-0123456789abcdef",
  image_bytes: 700_000_000,
  gaps: [
    "The memory of all processes together is watched: for a moment it can be more.",
    "The number of files is watched: for a moment it can be more.",
  ],
};

const hosted = (address: string): Readiness => ({
  runtime: "hosted",
  engine: `code interpreter of ${new URL(address).host}`,
  address,
  image: "a provider's container",
  image_bytes: 0,
  gaps: hostedGaps,
});

/** A provider is asked only where it is chosen, and does not depend on any engine here. */
function hostedDiagnosis(address: string): Diagnosis {
  const problem = consentProblem(address);
  const ready = problem === null ? "code interpreter" : null;
  return {
    checks: [{ name: "Engine", ready, problem }],
    runtime: "hosted",
    sandbox: problem === null ? hosted(address) : null,
  };
}

export function diagnosis(): Diagnosis {
  const settings = keptSettings.read();
  if (settings.runtime === "hosted") return hostedDiagnosis(settings.hosted.base_url);
  const runtime = scene.sandbox === "local" ? local : docker;
  const checks = checksOf(runtime);
  const isReady = checks.every(({ problem }) => problem === null);
  return { checks, runtime: runtime.runtime, sandbox: isReady ? runtime : null };
}

function checksOf(runtime: Readiness): Diagnosis["checks"] {
  const engineProblem = engineProblems[engine] ?? null;
  const needed = image === "ready" ? null : imageProblem;
  return [
    { name: "Engine", ready: engineProblem ? null : runtime.engine, problem: engineProblem },
    { name: "Image", ready: engineProblem || needed ? null : "assay-sandbox:1", problem: needed },
    { name: "Model", ready: "Built-in analyst (no AI)", problem: null },
  ];
}

export async function startEngine(): Promise<void> {
  await pause(1500);
  engine = "ready";
}

export async function build(sink: (message: { line: string }) => void): Promise<null> {
  building = true;
  for (let step = 1; step <= 14; step += 1) {
    await pause(600);
    if (!building) {
      throw {
        code: "stopped",
        message: "Making the sandbox was stopped.",
        hint: "What is done so far is kept for the next time.",
        detail: "",
      } satisfies Problem;
    }
    sink({ line: `Step ${step}/14: adding the tools for reading tables and drawing charts` });
  }
  image = "ready";
  return null;
}

export function stopBuild(): void {
  building = false;
}
