import { DropdownMenu as Radix } from "radix-ui";
import { useId, type ReactNode } from "react";
import { classes } from "./classes";

export interface MenuItem {
  label: string;
  /** A line under the label that says what it is for. */
  hint?: string;
  onChoose: () => void;
  icon?: ReactNode;
  tone?: "plain" | "danger";
}

export interface MenuGroup {
  /** What its items have in common, where that is not plain. */
  label?: string;
  items: MenuItem[];
}

/** A list of things to do that opens from a button; `children` is that button. */
export function Menu({ groups, children }: { groups: MenuGroup[]; children: ReactNode }) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      {/* Not at the end of the page: there it would lie outside of what a screen reader calls the page. */}
      <Radix.Content
        align="end"
        sideOffset={4}
        collisionPadding={8}
        className="rise z-50 max-h-(--radix-dropdown-menu-content-available-height) max-w-[calc(100vw-1rem)] min-w-44 overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-float"
      >
        {groups.map((group, at) => (
          <Group key={group.label ?? at} group={group} isFirst={at === 0} />
        ))}
      </Radix.Content>
    </Radix.Root>
  );
}

function Group({ group, isFirst }: { group: MenuGroup; isFirst: boolean }) {
  const id = useId();
  const { label, items } = group;
  return (
    <>
      {!isFirst && <Radix.Separator className="mx-2 my-1 h-px bg-line" />}
      <Radix.Group aria-labelledby={label === undefined ? undefined : id}>
        {label !== undefined && (
          <Radix.Label id={id} className="px-3 pt-1 pb-0.5 text-sm text-quiet">
            {label}
          </Radix.Label>
        )}
        {items.map((item) => (
          <Item key={item.label} {...item} />
        ))}
      </Radix.Group>
    </>
  );
}

function Item({ label, hint, onChoose, icon, tone }: MenuItem) {
  return (
    <Radix.Item
      onSelect={onChoose}
      className={classes(
        "flex cursor-pointer items-start gap-2.5 rounded-sm px-3 py-1.5 outline-none",
        "data-highlighted:bg-accent-wash",
        tone === "danger" && "text-missing",
      )}
    >
      {icon !== undefined && <span className="mt-1 shrink-0">{icon}</span>}
      <span className="min-w-0">
        {label}
        {hint !== undefined && (
          // The blank keeps the two lines apart where they are read aloud.
          <span className="block text-sm text-quiet"> {hint}</span>
        )}
      </span>
    </Radix.Item>
  );
}
