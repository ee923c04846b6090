/** Width and height of a picture in pixels. */
export interface PictureSize {
  width: number;
  height: number;
}

const seen = new Map<string, PictureSize>();

/** The size of a picture that was drawn before, so that its place can be kept free at once. */
export const seenSize = (address: string) => seen.get(address) ?? null;

/** Keeps the size of a picture that has been loaded; null where it has none of its own. */
export function keepSize(address: string, picture: HTMLImageElement): PictureSize | null {
  const size = { width: picture.naturalWidth, height: picture.naturalHeight };
  if (size.width === 0 || size.height === 0) return null;
  seen.set(address, size);
  return size;
}
