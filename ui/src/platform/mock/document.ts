import type { Block, Document, Inline } from "../../api/types";

/** A document of the practice host, as the shell would have read it. */

export const text = (words: string): Inline => ({ inline: "text", text: words });

export const paragraph = (...content: Inline[]): Block => ({ block: "paragraph", content });

export const heading = (level: number, words: string): Block => ({
  block: "heading",
  level,
  id: words.toLowerCase().replaceAll(" ", "-"),
  content: [text(words)],
});

export const picture = (path: string, alt: string): Block =>
  paragraph({ inline: "picture", to: { to: "file", path }, alt });

export const documentOf = (...blocks: Block[]): Document => ({ blocks, notes: [], figures: [] });
