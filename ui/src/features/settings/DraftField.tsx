import { useState, type ComponentPropsWithRef, type ReactNode } from "react";
import { Field, TextBox } from "../../shared";

interface Draft {
  label: string;
  hint?: ReactNode;
  value: string;
  /** Called when the person is done with the field, not at every letter. */
  onDone: (value: string) => void;
}

function useDraft(value: string, onDone: (value: string) => void) {
  const [draft, setDraft] = useState({ from: value, text: value });
  // A value that changed elsewhere replaces the draft.
  if (draft.from !== value) setDraft({ from: value, text: value });
  const done = () => {
    if (draft.text !== value) onDone(draft.text);
  };
  return { text: draft.text, write: (text: string) => setDraft({ from: value, text }), done };
}

/** One line that is kept when the person leaves it or presses Enter. */
export function DraftField({
  label,
  hint,
  value,
  onDone,
  ...rest
}: Draft & Omit<ComponentPropsWithRef<"input">, "value" | "onChange" | "onBlur">) {
  const { text, write, done } = useDraft(value, onDone);
  return (
    <Field
      {...rest}
      label={label}
      hint={hint}
      value={text}
      onChange={(event) => write(event.target.value)}
      onBlur={done}
      onKeyDown={(event) => event.key === "Enter" && done()}
    />
  );
}

/** Several lines that are kept when the person leaves them. */
export function DraftBox({
  label,
  hint,
  value,
  onDone,
  placeholder,
}: Draft & { placeholder?: string }) {
  const { text, write, done } = useDraft(value, onDone);
  return (
    <TextBox
      label={label}
      hint={hint}
      placeholder={placeholder}
      rows={3}
      value={text}
      onChange={(event) => write(event.target.value)}
      onBlur={done}
    />
  );
}
