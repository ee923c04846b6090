import { useEffect, useState } from "react";
import { onDragState } from "../../api";

/** Covers the window while files are held above it, and says that it takes them. */
export function DropVeil() {
  const [state, setState] = useState<"over" | "none">("none");
  useEffect(() => onDragState(setState), []);
  if (state === "none") return null;
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-0 z-50 grid place-items-center bg-paper p-4"
    >
      <div className="rise grid size-full place-items-center rounded-md border-2 border-dashed border-accent">
        <p className="font-serif text-2xl">Drop to put it on the desk</p>
      </div>
    </div>
  );
}
