import { Check } from "lucide-react";
import { Checkbox, Switch as Radix } from "radix-ui";
import { useId } from "react";

interface SwitchProps {
  label: string;
  on: boolean;
  onChange: (on: boolean) => void;
  disabled?: boolean;
}

/** Something that is on or off from now on. */
export function Switch({ label, on, onChange, disabled }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex items-center gap-2">
      <Radix.Root
        id={id}
        checked={on}
        onCheckedChange={onChange}
        disabled={disabled}
        className="h-5 w-9 shrink-0 rounded-full border border-line-strong bg-sunken p-0.5 transition-colors duration-150 disabled:opacity-55 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <Radix.Thumb className="block size-3.5 rounded-full bg-line-strong transition-transform duration-150 data-[state=checked]:translate-x-4 data-[state=checked]:bg-on-accent" />
      </Radix.Root>
      <label htmlFor={id}>{label}</label>
    </div>
  );
}

/** Something that is wanted or not. */
export function Tick({ label, on, onChange, disabled }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex items-center gap-2">
      <Checkbox.Root
        id={id}
        checked={on}
        onCheckedChange={(next) => onChange(next === true)}
        disabled={disabled}
        className="flex size-5 shrink-0 items-center justify-center rounded-sm border border-line-strong bg-raised transition-colors duration-150 disabled:opacity-55 data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=checked]:text-on-accent"
      >
        <Checkbox.Indicator>
          <Check size={14} strokeWidth={3} aria-hidden="true" />
        </Checkbox.Indicator>
      </Checkbox.Root>
      <label htmlFor={id}>{label}</label>
    </div>
  );
}
