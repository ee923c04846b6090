import type { ComponentPropsWithRef, ReactNode } from "react";
import { classes } from "./classes";
import { Tooltip } from "./Tooltip";

interface IconButtonProps extends Omit<ComponentPropsWithRef<"button">, "aria-label"> {
  /** What it does: read aloud, and shown on hover and focus. */
  label: string;
  icon: ReactNode;
}

/** A press that is only a sign. */
export function IconButton({ label, icon, className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        className={classes(
          "inline-flex size-8 shrink-0 items-center justify-center rounded-md text-quiet",
          "transition-colors duration-150 hover:bg-sunken hover:text-ink disabled:opacity-55",
          className,
        )}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
