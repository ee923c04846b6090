import { useId } from "react";
import type { Choice as RowChoice } from "../../api";
import { Choice, Named } from "../../shared";

interface ChoicesProps {
  choices: RowChoice[];
  /** Ids of the choices by which rows are left out. */
  leftOut: string[];
  onChoose: (choice: string, what: "keep" | "leave_out") => void;
}

/** Rows that could be left out, with what each choice does. All are kept until the person says so. */
export function Choices({ choices, leftOut, onChoose }: ChoicesProps) {
  const id = useId();
  if (choices.length === 0) return null;
  return (
    <section aria-labelledby={id} className="mt-3 border-t border-line pt-3">
      <h3 id={id} className="text-sm font-semibold text-quiet">
        All rows are kept unless you choose otherwise
      </h3>
      <ul className="mt-1 grid gap-y-1.5 text-sm">
        {choices.map((choice) => (
          <li key={choice.id} className="grid gap-x-8 gap-y-1 sm:grid-cols-[2fr_3fr]">
            <p id={`${id}-${choice.id}`}>
              <Named text={choice.question} />
            </p>
            <Choice
              labelledBy={`${id}-${choice.id}`}
              direction="across"
              value={leftOut.includes(choice.id) ? "leave_out" : "keep"}
              onChange={(what) => onChoose(choice.id, what)}
              options={[
                { value: "keep", label: choice.keep },
                { value: "leave_out", label: choice.leave_out },
              ]}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
