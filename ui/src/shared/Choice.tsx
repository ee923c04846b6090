import { RadioGroup } from "radix-ui";
import { useId, type ReactNode } from "react";

interface Option<Value extends string> {
  value: Value;
  label: string;
  /** A line that says what choosing it means. */
  hint?: ReactNode;
}

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: Option<Value>[];
  onChange: (value: Value) => void;
  direction?: "down" | "across";
}

/** One of a few. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, value, options, onChange, direction = "down" } = props;
  const id = useId();
  return (
    <RadioGroup.Root
      aria-label={label}
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      className={direction === "across" ? "flex flex-wrap gap-x-6 gap-y-2" : "grid gap-2"}
    >
      {options.map((option) => (
        <div key={option.value} className="flex gap-2.5">
          <RadioGroup.Item
            id={`${id}-${option.value}`}
            value={option.value}
            aria-describedby={option.hint === undefined ? undefined : `${id}-${option.value}-hint`}
            className="mt-0.5 flex size-5 shrink-0 items-center justify-center rounded-full border border-line-strong bg-raised transition-colors duration-150 data-[state=checked]:border-accent"
          >
            <RadioGroup.Indicator className="size-2.5 rounded-full bg-accent" />
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
