import type { Rows } from "../../api";
import { Switch } from "../../shared";

interface PrivacyProps {
  rows: Rows;
  onChange: (rows: Rows) => void;
}

/** Whether a language model gets to read rows, with what exactly that keeps back and what not. */
export function Privacy({ rows, onChange }: PrivacyProps) {
  return (
    <div className="grid gap-2">
      <Switch
        label="Keep my rows on this computer"
        on={rows === "kept_here"}
        onChange={(on) => onChange(on ? "kept_here" : "shown")}
      />
      <div className="grid gap-2 text-sm text-quiet">
        <p>
          Switched on, a language model gets your question, the names of files and columns, types,
          figures and dates. For the words in cells it gets stand-ins such as ⟦7⟧, and no charts; in
          the report the words are put back.
        </p>
        <p>
          Figures are sent, numbers such as those of customers among them. So is a word that also
          stands in your question, in a name, or in what the model itself wrote before.
        </p>
        <p>
          Switched off, it is also shown the first rows and whatever its steps print. The built-in
          analyst sends nothing either way. You can choose anew for each question.
        </p>
      </div>
    </div>
  );
}
