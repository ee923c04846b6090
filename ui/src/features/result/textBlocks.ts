import type { SentPart } from "../../api";

/** Characters of a block: few enough to be laid out at once, enough for few blocks. */
const BLOCK = 1200;

/** The parts of a text in blocks that are drawn one by one, cut where a reader would not mind. */
export function textBlocks(parts: readonly SentPart[]): SentPart[][] {
  const blocks: SentPart[][] = [];
  let block: SentPart[] = [];
  let room = BLOCK;
  const close = () => {
    if (block.length > 0) blocks.push(block);
    block = [];
    room = BLOCK;
  };
  for (const part of parts) {
    let rest = part.text;
    while (rest.length > room) {
      const cut =
        part.from_files && block.length > 0 && rest.length <= BLOCK ? 0 : cutAt(rest, room);
      if (cut > 0) block.push({ ...part, text: rest.slice(0, cut) });
      rest = rest.slice(cut);
      close();
    }
    if (rest !== "") block.push({ ...part, text: rest });
    room -= rest.length;
  }
  close();
  return blocks;
}

/** Behind the last blank within the room; where there is none, at its end, but not within a character. */
function cutAt(text: string, room: number): number {
  const blank = Math.max(text.lastIndexOf(" ", room - 1), text.lastIndexOf("\n", room - 1));
  if (blank > room / 2) return blank + 1;
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(room - 1));
  return Math.max(1, isHalf ? room - 1 : room);
}
