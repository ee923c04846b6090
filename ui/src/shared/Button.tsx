import type { ComponentPropsWithRef, ReactNode } from "react";
import { classes } from "./classes";
import { Spinner } from "./Spinner";

type Tone = "primary" | "plain" | "quiet" | "danger";

const tones: Record<Tone, string> = {
  primary:
    "bg-accent text-on-accent border-accent hover:bg-accent-ink hover:border-accent-ink font-semibold",
  plain: "bg-raised text-ink border-line-strong/60 hover:border-line-strong",
  quiet: "bg-transparent text-quiet border-transparent hover:text-ink hover:bg-sunken",
  danger: "bg-raised text-missing border-line-strong/60 hover:border-missing",
};

export interface ButtonProps extends ComponentPropsWithRef<"button"> {
  tone?: Tone;
  icon?: ReactNode;
  /** Work goes on: the button shows it and takes no second press. */
  busy?: boolean;
}

/** A press that does something. */
export function Button({
  tone = "plain",
  icon,
  busy = false,
  className,
  children,
  onClick,
  onPointerDown,
  onKeyDown,
  ...rest
}: ButtonProps) {
  const presses = busy ? {} : { onClick, onPointerDown, onKeyDown };
  return (
    <button
      type="button"
      {...rest}
      // A disabled button would let go of the keyboard's focus.
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      {...presses}
      className={classes(
        "inline-flex min-h-8 items-center justify-center gap-2 rounded-md border px-3 py-1 text-base",
        "transition-colors duration-150 disabled:opacity-55 aria-disabled:opacity-55",
        tones[tone],
        className,
      )}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}
