import { useState } from "react";
import { buildImage, stopBuild, within, type EngineChoice } from "../../api";
import { Button, ProblemCard, Wait, useCall } from "../../shared";

/** Makes the sandbox, showing how it goes on, until it is done or stopped. */
export function ImageMaking({ engine, onMade }: { engine: EngineChoice; onMade: () => void }) {
  const [lines, setLines] = useState<string[]>([]);
  const [making, start] = useCall(async () => {
    setLines([]);
    await buildImage(engine, (line) => setLines((before) => [...before.slice(-199), line]));
    onMade();
  });
  const [stopping, stop] = useCall(() => within(15, stopBuild()));

  if (making.state !== "busy") {
    return (
      <div className="grid gap-3">
        {making.state === "failed" && <ProblemCard problem={making.problem} />}
        <div>
          <Button tone="primary" onClick={() => void start()}>
            {making.state === "failed" ? "Go on making the sandbox" : "Make the sandbox"}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className="grid gap-3">
      <Wait
        label="Making the sandbox. This happens once and takes a few minutes."
        limit_s={900}
        late="This takes much longer than usual. The lines below say what it is doing; you can stop and try again."
      />
      <pre
        tabIndex={0}
        aria-label="Progress"
        className="flex h-32 flex-col-reverse overflow-auto rounded-md bg-sunken p-3 font-mono text-xs whitespace-pre-wrap"
      >
        {lines.join("\n")}
      </pre>
      <div>
        <Button onClick={() => void stop()} busy={stopping.state === "busy"}>
          Stop
        </Button>
      </div>
    </div>
  );
}
