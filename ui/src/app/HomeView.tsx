import { useEffect, useState } from "react";
import type { AppInfo, EngineChoice, HostedProvider, Readiness } from "../api";
import { askOf, DeskScreen, Problems, useDesk, type Setting } from "../features/desk";
import { HomeScreen } from "../features/home";
import { EngineForRun, type KnownEngines } from "../features/sandbox";
import { rowWords, thinks, type KeptSettings } from "../features/settings";
import {
  inShort,
  modelTroubleOf,
  TroubleBody,
  TroubleDialog,
  troubleOf,
  type Diagnosed,
} from "../features/trouble";
import { Button, hostedWords, placeWords, ProblemCard } from "../shared";
import { SettingDialog } from "./SettingDialog";
import { useAnalyse } from "./useAnalyse";

interface HomeViewProps {
  /** The desk is kept while another place is shown. */
  shown: boolean;
  info: AppInfo | null;
  settings: KeptSettings;
  diagnosed: Diagnosed;
  engines: KnownEngines;
  /** Where the next question runs. */
  engine: EngineChoice;
  onEngine: (engine: EngineChoice) => void;
  onWatch: (watching: boolean) => void;
  /** Files came in from outside; this view wants to be seen. */
  onShow: () => void;
  onOpen: (run: string) => void;
  onHistory: () => void;
}

/** Home without files, the desk with them, and the help in between. */
export function HomeView(props: HomeViewProps) {
  const { shown, info, settings, diagnosed, onWatch, onShow, onOpen, onHistory } = props;
  const { engines, engine, onEngine } = props;
  const { checks } = diagnosed;
  const controls = useDesk(onShow);
  const { desk, change, choose, sample } = controls;
  const { analysing, analyse, drop } = useAnalyse(onOpen);
  const [choosing, setChoosing] = useState(false);

  const held = analysing.state === "held";
  useEffect(() => onWatch(held || choosing), [held, choosing, onWatch]);

  if (!shown) return null;

  const rows = desk.rows ?? settings.kept?.rows ?? "shown";
  const ask = { ...askOf(desk, rows), engine };
  const setting = settingOf(diagnosed, settings);
  return (
    <>
      {desk.files.length === 0 ? (
        <HomeScreen
          onChoose={choose}
          onSample={info?.sample === false ? null : sample}
          onOpen={onOpen}
          onHistory={onHistory}
          problems={
            <Problems
              problems={desk.problems}
              onDismiss={(problem) => change({ do: "dismiss", problem })}
            />
          }
        />
      ) : (
        <DeskScreen
          controls={controls}
          rows={
            settings.kept?.model.kind === "remote"
              ? {
                  kept: rows === "kept_here",
                  meaning: rowWords[rows],
                  onKeep: (kept) => change({ do: "rows", rows: kept ? "kept_here" : "shown" }),
                }
              : null
          }
          setting={setting}
          onSetting={() => setChoosing(true)}
          busy={analysing.state === "starting"}
          onAnalyse={() => void analyse(ask)}
          refusal={
            analysing.state === "refused" && (
              <ProblemCard
                problem={analysing.problem}
                actions={
                  <>
                    <Button onClick={() => void analyse(ask)}>Try again</Button>
                    {(analysing.problem.code === "model" ||
                      analysing.problem.code === "keychain") && (
                      <Button onClick={() => setChoosing(true)}>Choose what thinks</Button>
                    )}
                  </>
                }
              />
            )
          }
        />
      )}
      <SettingDialog
        open={choosing}
        onClose={() => setChoosing(false)}
        settings={settings}
        machine={
          <>
            <TroubleBody diagnosed={diagnosed} settings={settings.kept} />
            <EngineForRun engines={engines} choice={engine} onChoose={onEngine} />
          </>
        }
        modelProblem={modelTroubleOf(checks)}
      />
      <TroubleDialog
        open={held}
        onClose={drop}
        diagnosed={diagnosed}
        settings={settings.kept}
        onGoOn={analysing.state === "held" ? () => void analyse(analysing.ask) : null}
      />
    </>
  );
}

function settingOf({ checks, sandbox, engine }: Diagnosed, { kept }: KeptSettings): Setting {
  const machine = troubleOf(checks);
  const trouble = machine ?? modelTroubleOf(checks);
  const provider = kept?.runtime === "hosted" && engine.kind === "usual" ? kept.hosted : null;
  return {
    runs:
      machine === null
        ? runsIn(sandbox, engine, provider)
        : inShort(machine.code, provider === null ? "" : "hosted"),
    leaves: provider !== null,
    thinks: kept === null ? "…" : thinks(kept.model),
    state: checks === null ? "checking" : trouble === null ? "ready" : "trouble",
  };
}

function runsIn(
  sandbox: Readiness | null,
  engine: EngineChoice,
  provider: HostedProvider | null,
): string {
  if (provider !== null) return hostedWords(provider.base_url);
  if (engine.kind === "first_free") return "the first engine that is free";
  if (sandbox === null) return "a sealed sandbox";
  return placeWords(sandbox, engine.kind === "listed" ? engine.name : null);
}
