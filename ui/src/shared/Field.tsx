import { useId, type ComponentPropsWithRef, type ReactNode } from "react";
import { classes } from "./classes";

const box =
  "w-full rounded-md border border-line-strong bg-raised px-3 py-1.5 text-ink placeholder:text-quiet focus-visible:outline-offset-0";

interface Labelled {
  label: string;
  /** A line under the label that says what it is for. */
  hint?: ReactNode;
}

function Label({ id, label, hint }: Labelled & { id: string }) {
  return (
    <div className="mb-1">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-quiet">
          {hint}
        </p>
      )}
    </div>
  );
}

/** One line of text with its label. */
export function Field({
  label,
  hint,
  className,
  ...rest
}: Labelled & ComponentPropsWithRef<"input">) {
  const id = useId();
  return (
    <div className={className}>
      <Label id={id} label={label} hint={hint} />
      <input
        {...rest}
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className={box}
      />
    </div>
  );
}

/** Several lines of text with their label. */
export function TextBox({
  label,
  hint,
  className,
  ...rest
}: Labelled & ComponentPropsWithRef<"textarea">) {
  const id = useId();
  return (
    <div className={className}>
      <Label id={id} label={label} hint={hint} />
      <textarea
        rows={2}
        {...rest}
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className={classes(box, "field-sizing-content max-h-60 resize-y")}
      />
    </div>
  );
}
