import type {
  EngineFacts,
  EngineSeen,
  Limit,
  LimitVerdict,
  ListedSeen,
  RuntimeChoice,
  SandboxProof,
} from "../../api";
import { counted, figure } from "../../shared";

/** Where code can run, as a person chooses it. One more is one line here. */
export const runtimes: { value: RuntimeChoice; label: string; hint: string }[] = [
  {
    value: "auto",
    label: "Automatic",
    hint: "In Docker where an engine answers, otherwise sealed by this computer itself.",
  },
  { value: "docker", label: "Docker", hint: "Only in an engine, here or on another computer." },
  {
    value: "local",
    label: "This computer",
    hint: "Sealed by the system’s own means, without Docker. For Linux only.",
  },
  {
    value: "hosted",
    label: "A provider’s containers",
    hint: "The files leave this computer: they are sent to a provider who runs the code. Needs an account there.",
  },
];

/** "8 processors, 16 GB of memory, x86_64" */
export const capacity = ({ cpus, memory_mib, architecture }: EngineFacts) =>
  [
    counted(cpus, "processor"),
    `${figure(Math.round(memory_mib / 102.4) / 10)} GB of memory`,
    architecture,
  ]
    .filter((part) => part !== "")
    .join(", ");

/** "Docker 20.10.24", or who says that there is an engine. */
export const engineName = ({ facts, origin }: EngineSeen) =>
  facts === null ? origin : `${facts.product} ${facts.version.replace(/\+.*/, "")}`;

/** Whether it is the one in use, and why not. `choice` may leave all engines aside. */
export function usage({ state, reason }: EngineSeen, choice: RuntimeChoice): string {
  if (state !== "chosen") return `Not used: ${reason}.`;
  if (choice === "local") return "Not used: this computer seals the code by itself, as you chose.";
  return choice === "hosted"
    ? "Not used: a provider’s containers run the code, as you chose."
    : "In use.";
}

/** How an engine of the list is, in a line. */
export function listedWords({ engine, seen, runs }: ListedSeen): string {
  if (seen.facts === null) return `It cannot be used now: ${seen.reason}.`;
  const places = `${runs} of ${counted(engine.runs_at_once, "run")} on it now`;
  return `${engineName(seen)}, ${capacity(seen.facts)}. ${places}.`;
}

export const limits: Record<Limit, string> = {
  user: "Not as administrator",
  network: "Network",
  root: "Files of the system",
  capabilities: "Special rights",
  new_privileges: "Gaining more rights",
  seccomp: "Requests to the system’s core",
  memory: "Memory",
  cpus: "Processors",
  processes: "Processes at a time",
  open_files: "Open files",
  output: "Room for results",
  work: "Room for work",
  temporary: "Room for temporary files",
  files: "Number of files",
  mounts: "Programs in writable folders",
};

export const verdicts: Record<LimitVerdict, string> = {
  holds: "Holds",
  not_enforced: "Cannot be enforced here",
  broken: "Does not hold",
};

/** What a look inside has shown, in a sentence. */
export function proofWords({ findings }: SandboxProof): {
  tone: "good" | "plain" | "bad";
  text: string;
} {
  const number = (verdict: LimitVerdict) =>
    findings.filter((finding) => finding.verdict === verdict).length;
  const [broken, open] = [number("broken"), number("not_enforced")];
  if (broken > 0) {
    const text = `${counted(broken, "limit")} ${broken === 1 ? "does" : "do"} not hold. Better use another sandbox until that is mended.`;
    return { tone: "bad", text };
  }
  return open > 0
    ? {
        tone: "plain",
        text: `${counted(findings.length - open, "limit holds", "limits hold")}; ${open} cannot be enforced in this sandbox.`,
      }
    : { tone: "good", text: `All ${findings.length} limits hold.` };
}
