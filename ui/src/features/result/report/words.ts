import type { Inline } from "../../../api";

/** The words of a line, without what they look like. */
export function wordsOf(content: readonly Inline[]): string {
  return content.map(wordsIn).join("");
}

function wordsIn(inline: Inline): string {
  switch (inline.inline) {
    case "text":
    case "figure":
    case "code":
      return inline.text;
    case "formula":
      return inline.tex;
    case "emphasis":
    case "strong":
    case "struck":
    case "link":
      return wordsOf(inline.content);
    case "picture":
      return inline.alt;
    case "note":
      return "";
    case "break":
      return " ";
  }
}

/** Whether a picture stands anywhere in a line. */
export function holdsPicture(content: readonly Inline[]): boolean {
  return content.some(
    (inline) =>
      inline.inline === "picture" || ("content" in inline && holdsPicture(inline.content)),
  );
}

/** Whether a line is nothing but pictures. */
export function isPictures(content: readonly Inline[]): boolean {
  return content.every((inline) => {
    if (inline.inline === "text") return inline.text.trim() === "";
    if (inline.inline === "link") return isPictures(inline.content);
    return inline.inline === "picture" || inline.inline === "break";
  });
}

/** Whose place on the web an address is: its host, or the whole address of a letter. */
export function hostOf(address: string): string {
  const letter = /^mailto:([^?]*)/i.exec(address);
  if (letter) return letter[1] ?? "";
  try {
    return new URL(address, "https://x.invalid").host;
  } catch {
    return address;
  }
}
