import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { appInfo, onOpenRun, uiReady, type AppInfo } from "../api";
import { DropVeil } from "../features/home";
import { SandboxSettings, useEngines, useImages } from "../features/sandbox";
import { SettingsScreen, useSettings } from "../features/settings";
import { TroubleBody, usual, useDiagnosis } from "../features/trouble";
import { Wait } from "../shared";
import { Header } from "./Header";
import { HomeView } from "./HomeView";
import type { Place } from "./place";
import { PlainDrawing } from "./PlainDrawing";
import { QuitDialog } from "./QuitDialog";
import { useTheme } from "./useTheme";

// Home is there at once; what draws reports comes when it is needed.
const RunScreen = lazy(() =>
  import("../features/run/RunScreen").then((part) => ({ default: part.RunScreen })),
);
const HistoryScreen = lazy(() =>
  import("../features/history/HistoryScreen").then((part) => ({ default: part.HistoryScreen })),
);

/** The window: one header, one place at a time. */
export function App() {
  const [place, go] = useState<Place>({ view: "home" });
  const [info, setInfo] = useState<AppInfo | null>(null);
  const [watching, setWatching] = useState(false);
  const settings = useSettings();
  const engines = useEngines();
  const images = useImages(settings.reread);
  const [engine, setEngine] = useState(usual);
  const inSettings = place.view === "settings";
  const diagnosed = useDiagnosis(watching || inSettings, inSettings ? usual : engine);
  useTheme(settings.kept?.theme ?? "system");

  const { look } = diagnosed;
  useEffect(() => {
    void uiReady();
    appInfo().then(setInfo, () => undefined);
  }, []);
  // Another model or engine is another diagnosis.
  const { model, runtime, docker_host, image, hosted } = settings.kept ?? {};
  useEffect(() => void look(), [look, model, runtime, docker_host, image, hosted]);

  const openRun = useCallback((run: string) => go({ view: "run", run }), []);
  const goHome = useCallback(() => go({ view: "home" }), []);
  useEffect(() => onOpenRun(openRun), [openRun]);

  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    // A screen reader starts at the new place; the first paint leaves the focus alone.
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
    window.scrollTo(0, 0);
  }, [place]);

  return (
    <div className="flex min-h-screen flex-col">
      <Header place={place} onGo={go} />
      <main ref={main} tabIndex={-1} className="flex min-w-0 grow flex-col outline-none">
        {info?.drawing === "plain" && <PlainDrawing />}
        <HomeView
          shown={place.view === "home"}
          info={info}
          settings={settings}
          diagnosed={diagnosed}
          engines={engines}
          engine={engine}
          onEngine={setEngine}
          onWatch={setWatching}
          onShow={goHome}
          onOpen={openRun}
          onHistory={() => go({ view: "history" })}
        />
        <Suspense fallback={<Wait label="Opening …" limit_s={10} />}>
          {place.view === "run" && (
            <RunScreen
              key={place.run}
              runId={place.run}
              onBack={goHome}
              onOpenRun={openRun}
              onSettings={() => go({ view: "settings" })}
            />
          )}
          {place.view === "history" && <HistoryScreen onOpen={openRun} />}
        </Suspense>
        {inSettings && (
          <SettingsScreen
            settings={settings}
            version={info?.version ?? ""}
            machine={
              <>
                <TroubleBody diagnosed={diagnosed} settings={settings.kept} />
                {settings.kept !== null && (
                  <SandboxSettings
                    settings={settings.kept}
                    engines={engines}
                    images={images}
                    onChange={(part) => void settings.change(part)}
                    onSave={settings.save}
                  />
                )}
              </>
            }
          />
        )}
      </main>
      <DropVeil />
      <QuitDialog />
    </div>
  );
}
