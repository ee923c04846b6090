import { createContext, use } from "react";
import type { Artifact } from "../../../api";
import type { Mark } from "./marks";

/** What every part of a report's page may need. */
export interface ReportPage {
  runId: string;
  files: readonly Artifact[];
  /** Opens a file that the report links to. */
  onOpenFile?: ((path: string) => void) | undefined;
  /** Opens a chart large. */
  onOpenChart?: ((path: string) => void) | undefined;
  /** Stands before each id of this report, so that no other on the page is like it. */
  prefix: string;
}

const nowhere: ReportPage = { runId: "", files: [], prefix: "" };

export const PageContext = createContext(nowhere);
export const usePage = () => use(PageContext);

/** What is known of each figure, by its number; apart from the page, which so is not drawn again for it. */
export const MarksContext = createContext<readonly (Mark | null)[]>([]);
export const useMark = (number: number) => use(MarksContext)[number] ?? null;

export const headingId = ({ prefix }: ReportPage, id: string) => `${prefix}-heading-${id}`;
export const noteId = ({ prefix }: ReportPage, number: number) => `${prefix}-note-${number}`;

/** Leads to a place of the page, for the eyes and for the keyboard. */
export function goTo(place: HTMLElement | null): void {
  place?.scrollIntoView();
  place?.focus({ preventScroll: true });
}
