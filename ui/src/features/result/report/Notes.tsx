import type { MouseEvent } from "react";
import type { Block } from "../../../api";
import { Blocks } from "./Blocks";
import type { Standing } from "./Inlines";
import { goTo, noteId, usePage } from "./page";

/** A small number in the text that leads to a note. */
export function NoteNumber({ number, standing }: { number: number; standing: Standing }) {
  const id = noteId(usePage(), number);
  if (standing === "pressed") return <sup>{number}</sup>;
  return (
    <sup>
      <a
        href={`#${id}`}
        aria-label={`Note ${number}`}
        data-note={number}
        onClick={(event) => {
          event.preventDefault();
          goTo(document.getElementById(id));
        }}
      >
        {number}
      </a>
    </sup>
  );
}

/** The notes at the end of a report, each with a way back to where it is first named. */
export function Notes({ notes }: { notes: readonly Block[][] }) {
  const page = usePage();
  if (notes.length === 0) return null;
  return (
    <section aria-label="Notes" className="report-notes">
      <ol>
        {notes.map((blocks, at) => (
          <li key={at} id={noteId(page, at + 1)} tabIndex={-1} dir="auto">
            <Blocks blocks={blocks} />
            <a
              href="#"
              aria-label={`Back from note ${at + 1}`}
              onClick={(event) => goBack(event, at + 1)}
            >
              ↩
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}

function goBack(event: MouseEvent, number: number): void {
  event.preventDefault();
  const page = event.currentTarget.closest("article");
  goTo(page?.querySelector<HTMLElement>(`[data-note="${number}"]`) ?? null);
}
