import { useCallback, useEffect, useRef, useState } from "react";
import { filePage, within, type FileCard } from "../../api";

const PAGE = 200;

/** The cells of a file beyond its preview, asked for page by page as they come into sight. */
export function usePages(file: FileCard) {
  const pages = useRef(new Map<number, string[][] | "asked">());
  const [, redraw] = useState(0);
  const alive = useRef(true);
  useEffect(() => {
    alive.current = true;
    return () => {
      alive.current = false;
    };
  }, []);

  const cell = useCallback(
    (row: number, column: number) => {
      const near = file.preview.rows[row];
      if (near !== undefined) return near[column] ?? "";
      const page = pages.current.get(Math.floor(row / PAGE));
      return page === undefined || page === "asked"
        ? undefined
        : (page[row % PAGE]?.[column] ?? "");
    },
    [file],
  );

  const onSight = useCallback(
    (first: number, last: number) => {
      for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page += 1) {
        const end = Math.min(last, (page + 1) * PAGE - 1);
        if (pages.current.has(page) || end < file.preview.rows.length) continue;
        pages.current.set(page, "asked");
        within(60, filePage(file.id, page * PAGE, PAGE)).then(
          ({ rows }) => {
            pages.current.set(page, rows);
            if (alive.current) redraw((n) => n + 1);
          },
          // The page can be asked for again when it next comes into sight.
          () => pages.current.delete(page),
        );
      }
    },
    [file],
  );

  return { cell, onSight };
}
