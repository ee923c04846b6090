import { Copy } from "lucide-react";
import { useState } from "react";
import { startEngine, within, type EngineChoice, type Problem } from "../../api";
import { Button, IconButton, Named, ProblemCard, useCall } from "../../shared";
import { AskConsent } from "../hosted";
import { ImageMaking } from "./ImageMaking";
import { installing, permitting, type Remedy } from "./words";

interface RemediesProps {
  problem: Problem;
  /** The runtime that would be used. */
  runtime: string;
  /** Where the run is to go. */
  engine: EngineChoice;
  /** Whether the engine is one that this computer can start. */
  startable: boolean;
  /** Something was done about it; look again. */
  onTried: () => void;
}

/** What can be done about one trouble. */
export function Remedies({ problem, runtime, engine, startable, onTried }: RemediesProps) {
  const { code } = problem;
  if (code === "engine_missing" && runtime !== "local")
    // The hint names every way that there is, that without an engine among them.
    return <ByHand remedy={{ ...installing(), say: problem.hint }} onTried={onTried} />;
  if (code === "engine_forbidden") return <ByHand remedy={permitting} onTried={onTried} />;
  if (code === "engine_stopped" && startable) return <Starting onStarted={onTried} />;
  if (code === "consent_missing") return <AskConsent onAgreed={onTried} />;
  if (code === "image") return <ImageMaking engine={engine} onMade={onTried} />;
  return (
    <div className="grid gap-3">
      <p>
        <Named text={problem.hint} />
      </p>
      <div>
        <Button onClick={onTried}>Look again</Button>
      </div>
    </div>
  );
}

function Starting({ onStarted }: { onStarted: () => void }) {
  const [starting, start] = useCall(async () => {
    await within(90, startEngine(), "The engine did not start within a minute and a half.");
    onStarted();
  });
  return (
    <div className="grid gap-3">
      {starting.state === "failed" && <ProblemCard problem={starting.problem} />}
      <div>
        <Button tone="primary" busy={starting.state === "busy"} onClick={() => void start()}>
          {starting.state === "busy" ? "Starting the engine …" : "Start it"}
        </Button>
      </div>
    </div>
  );
}

function ByHand({ remedy, onTried }: { remedy: Remedy; onTried: () => void }) {
  const [copied, setCopied] = useState(false);
  const { type } = remedy;
  return (
    <div>
      <p>
        <Named text={remedy.say} />
      </p>
      <div className="mt-2 flex items-center gap-2 rounded-md bg-sunken py-1 pr-1 pl-3">
        <code className="grow font-mono text-sm select-all">{type}</code>
        <span role="status" className="text-sm text-quiet">
          {copied && "Copied"}
        </span>
        <IconButton
          label="Copy"
          icon={<Copy size={16} aria-hidden="true" />}
          onClick={() => {
            navigator.clipboard.writeText(type).then(
              () => setCopied(true),
              // The line can still be marked and copied by hand.
              () => undefined,
            );
          }}
        />
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button onClick={onTried}>Look again</Button>
        <span className="text-sm text-quiet">This window also notices by itself.</span>
      </div>
    </div>
  );
}
