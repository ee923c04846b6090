import { FolderOpen } from "lucide-react";
import type { ReactNode } from "react";
import { Button, Mark } from "../../shared";
import { Recent } from "./Recent";

interface HomeScreenProps {
  onChoose: () => void;
  /** Null where the program carries no sample. */
  onSample: (() => void) | null;
  onOpen: (run: string) => void;
  onHistory: () => void;
  /** What could not be taken. */
  problems: ReactNode;
}

/** The first page: bring data, or go on with an earlier run. */
export function HomeScreen({ onChoose, onSample, onOpen, onHistory, problems }: HomeScreenProps) {
  return (
    <div className="mx-auto flex w-full max-w-3xl grow flex-col items-center gap-8 px-6 py-6">
      <div className="grid w-full gap-3 empty:hidden">{problems}</div>
      <section
        aria-labelledby="drop"
        className="grid max-h-108 w-full grow place-items-center rounded-md border border-dashed border-line-strong px-6 py-12 text-center"
      >
        <div className="grid justify-items-center">
          <Mark size={44} />
          <h1 id="drop" className="mt-5 font-serif text-2xl">
            Drop your data here
          </h1>
          <p className="mt-2 text-quiet">CSV, Excel or OpenDocument tables: one file or several</p>
          <Button
            tone="primary"
            icon={<FolderOpen size={18} aria-hidden="true" />}
            onClick={onChoose}
            className="mt-6 min-h-10 px-5"
          >
            Choose files
          </Button>
          {onSample !== null && (
            <p className="mt-6 text-quiet">
              No data at hand? Try{" "}
              <button
                type="button"
                onClick={onSample}
                className="text-accent-ink underline decoration-1 underline-offset-2 hover:decoration-2"
              >
                the building energy sample
              </button>
            </p>
          )}
        </div>
      </section>
      <Recent onOpen={onOpen} onHistory={onHistory} />
    </div>
  );
}
