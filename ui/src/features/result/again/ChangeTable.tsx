import type { ReactNode } from "react";
import { classes } from "../../../shared";

type Align = "start" | "end";

export interface Head {
  label: string;
  align: Align;
}

interface ChangeTableProps {
  label: string;
  heads: Head[];
  children: ReactNode;
}

/** A table of things before and now, which is scrolled by itself where it is wider than the window. */
export function ChangeTable({ label, heads, children }: ChangeTableProps) {
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className="overflow-x-auto rounded-md border border-line bg-raised"
    >
      <table className="w-full text-sm">
        <thead className="text-left text-quiet">
          <tr>
            {heads.map((head) => (
              <th
                key={head.label}
                className={classes(
                  "px-3 py-1.5 font-normal whitespace-nowrap",
                  head.align === "end" && "text-right",
                )}
              >
                {head.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-t border-line">{children}</tbody>
      </table>
    </div>
  );
}

interface CellProps {
  align?: Align;
  strong?: boolean;
  children: ReactNode;
}

export function Cell({ align = "start", strong = false, children }: CellProps) {
  return (
    <td
      className={classes(
        "px-3 py-1",
        align === "end" ? "text-right whitespace-nowrap tabular-nums" : "min-w-40 break-words",
        strong && "font-semibold",
      )}
    >
      {children}
    </td>
  );
}
