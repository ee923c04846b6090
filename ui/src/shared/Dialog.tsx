import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { useRef, type KeyboardEventHandler, type ReactNode } from "react";
import { classes } from "./classes";
import { IconButton } from "./IconButton";

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** One sentence under the title. */
  description?: ReactNode;
  children?: ReactNode;
  /** The buttons at the foot. */
  actions?: ReactNode;
  wide?: "text" | "picture";
  onKeyDown?: KeyboardEventHandler;
}

/** A sheet over the page that takes the keyboard until it is closed. */
export function Dialog(props: DialogProps) {
  const { open, onClose, title, description, children, actions, wide = "text", onKeyDown } = props;
  const opener = useRef<Element | null>(null);
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-[rgb(17_19_21/0.45)]" />
        <Radix.Content
          // The sheet takes the focus itself: read aloud from its title, without a tooltip on top.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            opener.current = document.activeElement;
            (event.currentTarget as HTMLElement | null)?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // The page stays where it was.
            if (opener.current instanceof HTMLElement)
              opener.current.focus({ preventScroll: true });
          }}
          tabIndex={-1}
          onKeyDown={onKeyDown}
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
          className={classes(
            "rise fixed outline-none top-1/2 left-1/2 z-40 flex max-h-[92vh] w-[calc(100vw-2rem)]",
            "-translate-x-1/2 -translate-y-1/2 flex-col rounded-md border border-line bg-raised shadow-float",
            wide === "picture" ? "max-w-6xl" : "max-w-lg",
          )}
        >
          <header className="flex items-start gap-4 px-5 pt-4">
            <div className="min-w-0 grow">
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description className="mt-1 text-quiet">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <IconButton label="Close" icon={<X size={18} />} className="-mr-2" />
            </Radix.Close>
          </header>
          <div className={classes("min-h-0 overflow-auto px-5", children ? "py-4" : "pb-4")}>
            {children}
          </div>
          {actions !== undefined && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
              {actions}
            </footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
