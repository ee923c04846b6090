import type { RunRecord } from "../../api";
import { counted, figure, hostOf, money, placeWords } from "../../shared";
import type { Place } from "../run/state";

const RUNTIMES: Record<string, string> = {
  docker: "In a sealed sandbox on this computer (Docker)",
  local: "In a sandbox that this computer sealed by itself",
};

/** Where the code of a run was executed; of runs of earlier versions only the kind of sandbox is known. */
export function ranWords({ runtime, policy }: RunRecord, place: Place | null): string {
  if ((place?.ready.runtime ?? runtime) === "hosted") {
    const host = place === null ? null : hostOf(place.ready.address);
    const where = host === null ? "In a provider’s containers" : `In containers of ${host}`;
    return `${where}, asked for without a network. The files were sent there.`;
  }
  const words =
    place === null
      ? (RUNTIMES[runtime] ?? `In the sandbox “${runtime}”`)
      : `In a sandbox: ${placeWords(place.ready, place.name)}`;
  return policy.network === "none" ? `${words}, without a network.` : `${words}.`;
}

/** The limits that were in force, those that are known by name. */
export function limitWords({ policy, budget }: RunRecord): string[] {
  const say = (value: unknown, words: (value: number) => string) =>
    typeof value === "number" ? [words(value)] : [];
  return [
    ...say(policy.memory_mib, (mib) => `${memory(mib)} of memory`),
    ...say(policy.cpus, (cpus) => counted(cpus, "processor")),
    ...say(policy.step_limit_s, (seconds) => `${time(seconds)} for a step`),
    ...say(policy.run_limit_s, (seconds) => `${time(seconds)} for the whole run`),
    ...say(policy.output_mib, (mib) => `${memory(mib)} of results`),
    ...say(budget.turns, (turns) => `${counted(turns, "answer")} of the model`),
    ...say(budget.steps, (steps) => counted(steps, "step")),
    ...say(budget.tokens, (tokens) => `${counted(tokens, "token")} read and written`),
    ...say(budget.cost_microdollars, (cost) => `${money(cost)} for the model`),
  ];
}

const memory = (mib: number) => (mib < 1024 ? `${figure(mib)} MB` : `${figure(mib / 1024)} GB`);

const time = (seconds: number) =>
  seconds < 120 ? counted(seconds, "second") : counted(Math.round(seconds / 60), "minute");

/** Whether the model was shown rows; empty where nobody but the analyst thought. */
export function rowsWords({ model, rows }: RunRecord): string {
  if (!model.is_ai) return "";
  return rows === "kept_here"
    ? "Rows were kept on this computer: stand-ins went out in place of the words in cells."
    : "It was shown some rows, and what the steps printed.";
}
