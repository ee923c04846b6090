import { RadioGroup } from "radix-ui";
import { useId, type ReactNode } from "react";

interface Option<Value extends string> {
  value: Value;
  label: string;
  /** A line that says what choosing it means. */
  hint?: ReactNode;
}

interface ChoiceProps<Value extends string> {
  /** What is chosen, for a screen reader; where words on the page say it, their id instead. */
  label?: string;
  labelledBy?: string;
  value: Value;
  options: Option<Value>[];
  onChange: (value: Value) => void;
  direction?: "down" | "across";
}

/** One of a few. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, labelledBy, value, options, onChange, direction = "down" } = props;
  const id = useId();
  return (
    <RadioGroup.Root
      aria-label={label}
      aria-labelledby={labelledBy}
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      className={direction === "across" ? "flex flex-wrap gap-x-6 gap-y-1.5" : "grid gap-2"}
    >
      {options.map((option) => (
        <div key={option.value} className="flex gap-2">
          <RadioGroup.Item
            id={`${id}-${option.value}`}
            value={option.value}
            aria-describedby={option.hint === undefined ? undefined : `${id}-${option.value}-hint`}
            className="mt-[calc((1lh-1.25em)/2)] flex size-[1.25em] shrink-0 items-center justify-center rounded-full border border-line-strong bg-raised transition-colors duration-150 data-[state=checked]:border-accent"
          >
            <RadioGroup.Indicator className="size-[0.65em] rounded-full bg-accent" />
          </RadioGroup.Item>
          <div>
            <label htmlFor={`${id}-${option.value}`} className="cursor-pointer">
              {option.label}
            </label>
            {option.hint !== undefined && (
              <p id={`${id}-${option.value}-hint`} className="text-sm text-quiet">
                {option.hint}
              </p>
            )}
          </div>
        </div>
      ))}
    </RadioGroup.Root>
  );
}
