import { useState } from "react";
import { count } from "../../shared";
import { DraftField } from "./DraftField";

interface NumberFieldProps {
  label: string;
  hint?: string;
  /** Null where nothing is set. */
  value: number | null;
  onDone: (value: number | null) => void;
  least?: number;
  most: number;
  /** Whether the field may be empty, which says that nothing is set. */
  empty?: "allowed" | "refused";
  /** Whether parts of one count. */
  whole?: boolean;
}

/** A figure as people write it: with a point or a comma, and with marks between thousands or without. */
export function figureOf(text: string, kind: "any" | "whole" = "any"): number | null {
  if (kind === "whole" && /^\d{1,3}([\s.,’']\d{3})+$/.test(text.trim())) {
    return Number(text.replace(/\D/g, ""));
  }
  const plain = text.trim().replace(/[\s’']/g, "");
  const bare = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain)
    ? plain.replaceAll(",", "")
    : plain.replace(",", ".");
  return /^\d+(\.\d*)?$|^\.\d+$/.test(bare) ? Number(bare) : null;
}

/** A figure that is kept when the person leaves the field; what is none is said and not kept. */
export function NumberField(props: NumberFieldProps) {
  const { label, hint, value, onDone, least = 0, most, empty = "allowed", whole = false } = props;
  const [fault, setFault] = useState<string | null>(null);
  const done = (text: string) => {
    if (text.trim() === "" && empty === "allowed") {
      setFault(null);
      onDone(null);
      return;
    }
    const found = figureOf(text, whole ? "whole" : "any");
    const isRight =
      found !== null && found >= least && found <= most && (!whole || Number.isInteger(found));
    setFault(isRight ? null : wanted(least, most, whole));
    if (isRight) onDone(found);
  };
  return (
    <DraftField
      label={label}
      hint={
        fault === null ? (
          hint
        ) : (
          <span role="alert" className="text-missing">
            {fault}
          </span>
        )
      }
      inputMode="decimal"
      autoComplete="off"
      aria-invalid={fault !== null}
      value={value === null ? "" : whole ? count(value) : String(value)}
      // What is written now is not yet what was not kept.
      onFocus={() => setFault(null)}
      onDone={done}
    />
  );
}

const wanted = (least: number, most: number, whole: boolean) =>
  `Not kept: it takes a ${whole ? "whole number" : "number"} from ${least.toLocaleString()} to ${most.toLocaleString()}.`;
