import type { ComponentPropsWithRef } from "react";
import { classes } from "./classes";

/** A raised sheet. */
export function Card({ className, ...rest }: ComponentPropsWithRef<"section">) {
  return (
    <section {...rest} className={classes("rounded-md border border-line bg-raised", className)} />
  );
}
