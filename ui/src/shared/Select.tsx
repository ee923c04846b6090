import { useId, type ReactNode } from "react";

interface SelectProps {
  label: ReactNode;
  /** Empty while nothing is chosen. */
  value: string;
  /** What stands there while nothing is chosen. */
  none: string;
  groups: { label: string; values: string[] }[];
  onChange: (value: string) => void;
}

/** One of many, behind one line. */
export function Select({ label, value, none, groups, onChange }: SelectProps) {
  const id = useId();
  const filled = groups.filter(({ values }) => values.length > 0);
  return (
    <div>
      <label htmlFor={id} className="mb-1 block break-words">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="w-full rounded-md border border-line-strong bg-raised px-3 py-1.5 text-ink focus-visible:outline-offset-0"
      >
        <option value="">{none}</option>
        {filled.map((group) => (
          <optgroup key={group.label} label={group.label}>
            {group.values.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </div>
  );
}
