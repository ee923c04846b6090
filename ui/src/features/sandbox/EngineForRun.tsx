import { useEffect } from "react";
import type { EngineChoice, ListedSeen } from "../../api";
import { Choice } from "../../shared";
import type { KnownEngines } from "./useEngines";
import { listedWords } from "./words";

interface EngineForRunProps {
  engines: KnownEngines;
  choice: EngineChoice;
  onChoose: (choice: EngineChoice) => void;
}

const FREE = "free";
const USUAL = "usual";
const listed = (at: number) => `listed-${at}`;

/** To which engine the next question goes; nothing where there is no list to choose from. */
export function EngineForRun({ engines, choice, onChoose }: EngineForRunProps) {
  const { seen, look } = engines;
  useEffect(() => void look(), [look]);
  const all = seen?.listed ?? null;
  const value = all === null ? null : valueOf(choice, all);
  useEffect(() => {
    // The engine was taken from the list meanwhile.
    if (value === null && all !== null) onChoose({ kind: "usual" });
  }, [value, all, onChoose]);
  if (all === null || all.length === 0) return null;
  const choose = (next: string) => {
    if (next === USUAL) onChoose({ kind: "usual" });
    else if (next === FREE) onChoose({ kind: "first_free" });
    else {
      const one = all.find((_, at) => listed(at) === next);
      if (one !== undefined) onChoose({ kind: "listed", name: one.engine.name });
    }
  };
  return (
    <Choice
      label="Engine for this question"
      value={value ?? USUAL}
      onChange={choose}
      options={[
        { value: USUAL, label: "The usual one", hint: "As the settings say." },
        ...all.map((one, at) => ({
          value: listed(at),
          label: one.engine.name,
          hint: listedWords(one),
        })),
        {
          value: FREE,
          label: "The first that is free",
          hint: "In the order of the list; where all are full, the question waits.",
        },
      ]}
    />
  );
}

/** The choice as the list has it; null when it has it no more. */
function valueOf(choice: EngineChoice, all: ListedSeen[]): string | null {
  if (choice.kind === "usual") return USUAL;
  if (all.length === 0) return null;
  if (choice.kind === "first_free") return FREE;
  const at = all.findIndex(({ engine }) => engine.name === choice.name);
  return at < 0 ? null : listed(at);
}
