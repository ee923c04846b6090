import { X } from "lucide-react";
import { useState } from "react";
import { IconButton, Notice } from "../shared";

/** Why the window came late and looks a little plainer. */
export function PlainDrawing() {
  const [seen, setSeen] = useState(false);
  if (seen) return null;
  return (
    <div className="relative mx-auto w-full max-w-3xl px-6 pt-4">
      <Notice className="pr-12">
        The window stayed blank at first, so Assay started again and draws it in a plainer way.
      </Notice>
      <IconButton
        label="Put this message away"
        icon={<X size={16} aria-hidden="true" />}
        onClick={() => setSeen(true)}
        className="absolute top-6 right-8"
      />
    </div>
  );
}
