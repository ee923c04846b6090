import { useCallback, useEffect, useReducer, useRef, type Dispatch } from "react";
import {
  addSample,
  asProblem,
  chooseFiles,
  fileProfile,
  onFilesAdded,
  removeFile,
  setReading,
  stopReading,
  within,
  type FilesAdded,
  type ReadingProgress,
} from "../../api";
import { deskAfter, emptyDesk, type Desk, type DeskAction } from "./desk";

export interface DeskControls {
  desk: Desk;
  change: Dispatch<DeskAction>;
  choose: () => void;
  sample: () => void;
  remove: (file: string) => void;
  /** Makes the full pass over a file; on its own after adding, again on demand. */
  read: (file: string) => void;
  /** Reads a file in another way, and makes the full pass anew. */
  reread: (file: string, settings: Record<string, string>) => void;
  /** Ends that pass; what is known of the file is kept. */
  stopReading: (file: string) => void;
}

/** The desk and what can be done on it; hears the files dropped on the window. */
export function useDesk(onAdded: () => void): DeskControls {
  const [desk, change] = useReducer(deskAfter, emptyDesk);
  const asked = useRef(new Set<string>());
  const stopped = useRef(new Set<string>());
  const told = useRef(onAdded);
  useEffect(() => {
    told.current = onAdded;
  });

  const take = useCallback((added: FilesAdded) => {
    if (added.files.length + added.problems.length === 0) return;
    change({ do: "add", added });
    told.current();
  }, []);

  const add = useCallback(
    (call: () => Promise<FilesAdded>) => {
      call().then(take, (thrown) => change({ do: "fail", problem: asProblem(thrown) }));
    },
    [take],
  );

  useEffect(() => onFilesAdded(take), [take]);

  const read = useCallback((id: string) => {
    change({ do: "read", file: id, reading: { state: "reading" } });
    stopped.current.delete(id);
    const heard = (progress: ReadingProgress) => {
      if (!stopped.current.has(id))
        change({ do: "read", file: id, reading: { state: "reading", progress } });
    };
    fileProfile(id, heard).then(
      (profile) => change({ do: "read", file: id, reading: { state: "read", profile } }),
      (thrown) =>
        change({
          do: "read",
          file: id,
          reading: stopped.current.has(id)
            ? { state: "stopped" }
            : { state: "failed", problem: asProblem(thrown) },
        }),
    );
  }, []);

  const wishes = useRef(new Map<string, number>());
  const reread = useCallback(
    (id: string, settings: Record<string, string>) => {
      const wish = (wishes.current.get(id) ?? 0) + 1;
      wishes.current.set(id, wish);
      const isLast = () => wishes.current.get(id) === wish;
      within(60, setReading(id, settings)).then(
        (card) => {
          if (!isLast()) return;
          change({ do: "reread", card });
          read(id);
        },
        (thrown) => isLast() && change({ do: "fail", problem: asProblem(thrown) }),
      );
    },
    [read],
  );

  const stop = useCallback((id: string) => {
    stopped.current.add(id);
    within(15, stopReading(id)).catch((thrown) =>
      change({ do: "fail", problem: asProblem(thrown) }),
    );
  }, []);

  useEffect(() => {
    for (const { id } of desk.files) {
      if (asked.current.has(id)) continue;
      asked.current.add(id);
      read(id);
    }
  }, [desk.files, read]);

  const remove = useCallback((file: string) => {
    asked.current.delete(file);
    change({ do: "remove", file });
    within(15, removeFile(file)).catch((thrown) =>
      change({ do: "fail", problem: asProblem(thrown) }),
    );
  }, []);

  return {
    desk,
    change,
    choose: useCallback(() => add(chooseFiles), [add]),
    sample: useCallback(() => add(() => within(30, addSample())), [add]),
    remove,
    read,
    reread,
    stopReading: stop,
  };
}
