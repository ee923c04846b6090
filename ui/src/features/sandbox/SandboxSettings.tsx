import { useEffect } from "react";
import type { Settings } from "../../api";
import { Button, Choice, ProblemCard, Wait } from "../../shared";
import { FoundEngines } from "./FoundEngines";
import { ListedEngines } from "./ListedEngines";
import { LookInside } from "./LookInside";
import type { KnownEngines } from "./useEngines";
import { runtimes } from "./words";

interface SandboxSettingsProps {
  settings: Settings;
  engines: KnownEngines;
  onChange: (part: Partial<Settings>) => void;
}

/** In which sandbox code runs, which engines there are, and what the sandbox is like from inside. */
export function SandboxSettings({ settings, engines, onChange }: SandboxSettingsProps) {
  const { seen, busy, problem, look, keep } = engines;
  const { runtime, docker_host, image } = settings;
  // Another address makes another engine the chosen one.
  useEffect(() => void look(), [look, docker_host]);
  return (
    <>
      <Choice
        label="Where code runs"
        value={runtime}
        onChange={(next) => onChange({ runtime: next })}
        options={runtimes}
      />
      <LookInside key={`${runtime} ${docker_host} ${image}`} />
      {problem !== null && <ProblemCard problem={problem} />}
      {seen === null && problem === null && <Wait label="Asking the engines …" limit_s={15} />}
      {seen !== null && (
        <>
          <FoundEngines found={seen.found} choice={runtime} />
          <ListedEngines listed={seen.listed} onKeep={keep} />
        </>
      )}
      <div>
        <Button busy={busy} onClick={() => void look()}>
          Check the engines now
        </Button>
      </div>
    </>
  );
}
