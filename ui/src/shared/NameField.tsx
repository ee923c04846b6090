import { useState } from "react";
import { classes } from "./classes";

interface NameFieldProps {
  label: string;
  name: string;
  /**
   * The person is done: by a key, after which the focus belongs on what led here, or by going elsewhere.
   * The name is null when nothing is to change.
   */
  onDone: (name: string | null, by: "key" | "leaving") => void;
  className?: string;
}

/** A name that is changed in its place: Enter or leaving the field keeps it, Escape does not. */
export function NameField({ label, name, onDone, className }: NameFieldProps) {
  const [draft, setDraft] = useState(name);
  const written = draft.trim() === "" || draft.trim() === name ? null : draft.trim();
  return (
    <input
      aria-label={label}
      autoFocus
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => onDone(written, "leaving")}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== "Escape") return;
        // The key must not go on to what takes the focus next.
        event.preventDefault();
        onDone(event.key === "Enter" ? written : null, "key");
      }}
      className={classes(
        "rounded-sm border border-line-strong bg-raised px-2 font-serif text-lg",
        className,
      )}
    />
  );
}
