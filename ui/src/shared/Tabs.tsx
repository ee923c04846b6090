import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";

export interface Tab {
  id: string;
  label: string;
  /** How many things are inside, shown beside the label. */
  count?: number;
  /** What is inside stays while another tab is shown, since it is dear to make. */
  keeps?: boolean;
  content: ReactNode;
}

interface TabsProps {
  /** Names the group for a screen reader. */
  label: string;
  tabs: Tab[];
  value: string;
  onChange: (id: string) => void;
}

/** Several views of one thing, one at a time. */
export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  return (
    <Radix.Root value={value} onValueChange={onChange}>
      <Radix.List
        aria-label={label}
        className="flex flex-wrap gap-x-5 border-b border-line text-quiet"
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.id}
            value={tab.id}
            className="-mb-px border-b-2 border-transparent py-2 transition-colors duration-150 hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {tab.label}
            {tab.count !== undefined && (
              <span className="ml-1.5 text-sm text-quiet">{tab.count}</span>
            )}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content
          key={tab.id}
          value={tab.id}
          forceMount={tab.keeps || undefined}
          className="data-[state=inactive]:hidden"
        >
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
