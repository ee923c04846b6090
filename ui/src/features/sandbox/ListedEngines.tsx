import { useState } from "react";
import type { ListedEngine, ListedSeen } from "../../api";
import { Button, ProblemCard, useCall } from "../../shared";
import { EngineForm } from "./EngineForm";
import { listedWords } from "./words";

interface ListedEnginesProps {
  listed: ListedSeen[];
  /** Rejects with a `Problem`. */
  onKeep: (list: ListedEngine[]) => Promise<void>;
}

const empty: ListedEngine = { name: "", address: "", certificates: null, runs_at_once: 1 };

/** The engines that the person has given a name, such as a bigger computer: a run can be sent to one. */
export function ListedEngines({ listed, onKeep }: ListedEnginesProps) {
  // The name of the one that is being written; empty for a new one.
  const [writing, write] = useState<string | null>(null);
  const all = listed.map(({ engine }) => engine);
  const [removing, remove] = useCall((name: string) =>
    onKeep(all.filter((one) => one.name !== name)),
  );
  const keep = async (next: ListedEngine) => {
    const others = all.map((one) => (one.name === writing ? next : one));
    await onKeep(writing === "" ? [...all, next] : others);
  };
  return (
    <section aria-labelledby="engines-listed" className="grid gap-2">
      <h3 id="engines-listed" className="font-semibold">
        Engines by name
      </h3>
      <p className="text-sm text-quiet">
        Such as a bigger computer. Beside the question you can choose where it runs; the files of
        that question go there.
      </p>
      <ul className="grid gap-2">
        {listed.map((one) =>
          one.engine.name === writing ? (
            <li key={one.engine.name}>
              <EngineForm start={one.engine} onKeep={keep} onDone={() => write(null)} />
            </li>
          ) : (
            <li
              key={one.engine.name}
              className="flex flex-wrap items-start justify-between gap-2 rounded-md border border-line bg-raised px-4 py-2.5"
            >
              <div className="min-w-0">
                <p>
                  <span className="font-semibold">{one.engine.name}</span>{" "}
                  <span className="font-mono text-xs [overflow-wrap:anywhere] text-quiet">
                    {one.engine.address}
                  </span>
                </p>
                <p className="text-sm text-quiet">{listedWords(one)}</p>
              </div>
              <div className="flex gap-2">
                <Button
                  aria-label={`Edit ${one.engine.name}`}
                  onClick={() => write(one.engine.name)}
                >
                  Edit
                </Button>
                <Button
                  tone="danger"
                  aria-label={`Remove ${one.engine.name}`}
                  onClick={() => void remove(one.engine.name)}
                >
                  Remove
                </Button>
              </div>
            </li>
          ),
        )}
      </ul>
      {removing.state === "failed" && <ProblemCard problem={removing.problem} />}
      {writing === "" ? (
        <EngineForm start={empty} onKeep={keep} onDone={() => write(null)} />
      ) : (
        <div>
          <Button onClick={() => write("")}>Add an engine</Button>
        </div>
      )}
    </section>
  );
}
