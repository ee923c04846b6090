import { useCallback, useEffect, useRef, useState } from "react";
import { asProblem, tablePage, within, type Problem, type Sort, type TablePage } from "../../api";

/** Rows asked for at once. */
const PAGE = 200;

interface Loaded {
  /** Which table, order and filter the rows belong to. */
  key: string;
  first: TablePage | null;
  pages: Map<number, string[][]>;
  problem: Problem | null;
}

/** The rows of a table of any size, of which only what comes into sight is read. */
export function usePages(run: string, path: string, sort: Sort | null, filter: string) {
  const key = JSON.stringify([run, path, sort, filter]);
  const [loaded, setLoaded] = useState<Loaded>({
    key,
    first: null,
    pages: new Map(),
    problem: null,
  });
  const asked = useRef({ key, pages: new Set<number>() });

  const read = useCallback(
    async (page: number) => {
      if (asked.current.key !== key) asked.current = { key, pages: new Set() };
      if (asked.current.pages.has(page)) return;
      asked.current.pages.add(page);
      try {
        const wanted = { offset: page * PAGE, limit: PAGE, sort, filter };
        const answer = await within(60, tablePage(run, path, wanted));
        if (asked.current.key !== key) return;
        setLoaded((before) => {
          const pages = new Map(before.key === key ? before.pages : []).set(page, answer.rows);
          return {
            key,
            first: before.key === key ? (before.first ?? answer) : answer,
            pages,
            problem: null,
          };
        });
      } catch (thrown) {
        asked.current.pages.delete(page);
        if (asked.current.key === key) {
          setLoaded((before) => ({ ...before, key, problem: asProblem(thrown) }));
        }
      }
    },
    // `key` says all that `sort` says, and stays the same while that does.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [key],
  );

  useEffect(() => void read(0), [read]);

  const onSight = useCallback(
    (first: number, last: number) => {
      for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page += 1)
        void read(page);
    },
    [read],
  );

  const isCurrent = loaded.key === key;
  return {
    first: loaded.first,
    isCurrent,
    problem: loaded.problem,
    rows: loaded.first?.matching_rows ?? loaded.first?.total_rows ?? loaded.first?.rows.length ?? 0,
    cell: (row: number, column: number) =>
      loaded.pages.get(Math.floor(row / PAGE))?.[row % PAGE]?.[column],
    onSight,
    again: () => void read(0),
  };
}
