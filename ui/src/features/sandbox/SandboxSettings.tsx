import { useEffect, useState } from "react";
import type { Settings } from "../../api";
import { Button, Choice, ProblemCard, Wait } from "../../shared";
import { Provider, ProviderSetUp } from "../hosted";
import { FoundEngines } from "./FoundEngines";
import { ImageCare } from "./ImageCare";
import { ListedEngines } from "./ListedEngines";
import { LookInside } from "./LookInside";
import type { KnownEngines } from "./useEngines";
import type { KnownImages } from "./useImages";
import { runtimes } from "./words";

interface SandboxSettingsProps {
  settings: Settings;
  engines: KnownEngines;
  images: KnownImages;
  onChange: (part: Partial<Settings>) => void;
  /** The same for whoever shows why it could not be: rejects with a `Problem`. */
  onSave: (part: Partial<Settings>) => Promise<void>;
}

/** In which sandbox code runs, which engines and images there are, and what the sandbox is like from inside. */
export function SandboxSettings(props: SandboxSettingsProps) {
  const { settings, engines, images, onChange, onSave } = props;
  const { seen, busy, problem, look, keep } = engines;
  const { runtime, docker_host, image } = settings;
  // A provider is set up and agreed to before it counts.
  const [settingUp, setUp] = useState(false);
  // Another address makes another engine the chosen one.
  useEffect(() => void look(), [look, docker_host]);
  return (
    <>
      <Choice
        label="Where code runs"
        value={settingUp ? "hosted" : runtime}
        onChange={(next) => {
          setUp(next === "hosted");
          if (next !== "hosted" && next !== runtime) onChange({ runtime: next });
        }}
        options={runtimes}
      />
      {(settingUp || runtime === "hosted") && (
        <div className="ml-7 border-l-2 border-line pl-4">
          {settingUp ? (
            <ProviderSetUp
              settings={settings}
              onSave={onSave}
              onDone={() => setUp(false)}
              onNotNow={() => setUp(false)}
            />
          ) : (
            <Provider settings={settings} onSave={onSave} onChange={() => setUp(true)} />
          )}
        </div>
      )}
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
      {(runtime === "auto" || runtime === "docker") && (
        <ImageCare
          images={images}
          inUse={image}
          named={seen?.listed.map(({ engine }) => engine.name) ?? []}
          onUse={(next) => onChange({ image: next })}
        />
      )}
    </>
  );
}
