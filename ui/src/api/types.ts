/** The shapes that cross the border to the shell, made from the shell's own types. */
export type * from "./generated/types";
