import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";

/** A few words beside a control, on hover and on focus. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={400}>
      <Radix.Root>
        <Radix.Trigger
          asChild
          // A dialog that closes gives the focus back to what opened it; that asks for no explanation.
          onFocus={(event) => {
            if (!event.currentTarget.matches(":focus-visible")) event.preventDefault();
          }}
        >
          {children}
        </Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            sideOffset={6}
            collisionPadding={8}
            className="rise z-50 max-w-72 rounded-sm bg-ink px-2 py-1 text-sm text-paper"
          >
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
