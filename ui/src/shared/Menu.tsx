import { DropdownMenu as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { classes } from "./classes";

export interface MenuItem {
  label: string;
  onChoose: () => void;
  icon?: ReactNode;
  tone?: "plain" | "danger";
}

/** A list of things to do that opens from a button; `children` is that button. */
export function Menu({ items, children }: { items: MenuItem[]; children: ReactNode }) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="rise z-50 min-w-44 rounded-md border border-line bg-raised p-1 shadow-float"
        >
          {items.map((item) => (
            <Radix.Item
              key={item.label}
              onSelect={item.onChoose}
              className={classes(
                "flex cursor-pointer items-center gap-2 rounded-sm px-3 py-1.5 outline-none",
                "data-highlighted:bg-accent-wash",
                item.tone === "danger" && "text-missing",
              )}
            >
              {item.icon}
              {item.label}
            </Radix.Item>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
