import { Square } from "lucide-react";
import { useEffect, useRef } from "react";
import { stopBuild, within, type ImageProgress } from "../../api";
import { Button, useCall, Wait } from "../../shared";
import { lineWords } from "./progress";

interface MakingProps {
  label: string;
  /** What has been said so far. */
  lines: ImageProgress[];
}

/** Work on an image while it goes on: what it does, how far it has come, and the button that stops it. */
export function Making({ label, lines }: MakingProps) {
  const [stopping, stop] = useCall(() => within(15, stopBuild()));
  const held = useRef<HTMLDivElement>(null);
  // What was pressed may stand at the edge of the window.
  useEffect(() => held.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <div ref={held} className="grid gap-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <Wait
          label={label}
          limit_s={900}
          late="This takes much longer than usual. The lines below say what it is doing; you can stop and try again."
        />
        <Button
          icon={<Square size={12} fill="currentColor" aria-hidden="true" />}
          onClick={() => void stop()}
          busy={stopping.state === "busy"}
        >
          Stop
        </Button>
      </div>
      <pre
        tabIndex={0}
        aria-label="Progress"
        className="flex h-32 flex-col-reverse overflow-auto rounded-md bg-sunken p-3 font-mono text-xs whitespace-pre-wrap"
      >
        {lines.map(lineWords).join("\n")}
      </pre>
    </div>
  );
}
