import type { ComponentPropsWithRef, ReactNode } from "react";
import { classes } from "./classes";
import { Tooltip } from "./Tooltip";

interface IconButtonProps extends Omit<ComponentPropsWithRef<"button">, "aria-label"> {
  /** What it does: read aloud, and shown on hover and focus. */
  label: string;
  icon: ReactNode;
}

/** A press that is only a sign. */
export function IconButton({
  label,
  icon,
  className,
  disabled,
  onClick,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        // A disabled button would let go of the keyboard's focus, and would not say what it is for.
        aria-disabled={disabled || undefined}
        onClick={disabled ? undefined : onClick}
        className={classes(
          "inline-flex size-8 shrink-0 items-center justify-center rounded-md text-quiet",
          "transition-colors duration-150 aria-disabled:opacity-45 not-aria-disabled:hover:bg-sunken not-aria-disabled:hover:text-ink",
          className,
        )}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
