import { useState } from "react";
import { buildImage, type EngineChoice, type ImageProgress } from "../../api";
import { Button, ProblemCard, useCall } from "../../shared";
import { Making } from "./Making";
import { linesAfter } from "./progress";

/** Makes the sandbox, showing how it goes on, until it is done or stopped. */
export function ImageMaking({ engine, onMade }: { engine: EngineChoice; onMade: () => void }) {
  const [lines, setLines] = useState<ImageProgress[]>([]);
  const [making, start] = useCall(async () => {
    setLines([]);
    await buildImage(engine, (progress) => setLines((before) => linesAfter(before, progress)));
    onMade();
  });
  if (making.state === "busy") {
    return (
      <Making
        label="Making the sandbox. This happens once and takes a few minutes."
        lines={lines}
      />
    );
  }
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
