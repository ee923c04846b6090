import type { OwnImage } from "../../api";
import { bytes, counted } from "../../shared";

/** Whether questions start from it now; null in the settings means the one that Assay chooses. */
export const isInUse = (image: OwnImage, inUse: string | null) =>
  inUse === null
    ? image.is_present && image.packages.length === 0 && image.names.length > 0
    : image.names.includes(inUse);

/** "Assay’s sandbox, version 1", "With humanize, seaborn" */
export function imageTitle({ names, packages }: OwnImage): string {
  if (packages.length > 0) return `With ${packages.join(", ")}`;
  const version = names[0]?.split(":").at(-1);
  return version === undefined
    ? "Assay’s sandbox, unfinished"
    : `Assay’s sandbox, version ${version}`;
}

/** Its name, or what stands for one that has lost it. */
export const imageName = ({ names, id }: OwnImage) =>
  names[0] ?? id.replace(/^sha256:/, "").slice(0, 12);

/** "900 MB, for amd64, made here on Nov 29, 2025 from the official Python image" */
export function imageFacts(image: OwnImage): string {
  const made = new Date(image.made_s * 1000).toLocaleDateString(undefined, { dateStyle: "medium" });
  return `${bytes(image.bytes)}, for ${image.architecture}, made here on ${made} from ${origin(image)}`;
}

const origin = ({ base, packages }: OwnImage) =>
  packages.length > 0 ? "Assay’s sandbox" : (base ?? "the official Python image");

/** What becomes of it. */
export function imageUse(image: OwnImage, inUse: string | null): string {
  if (isInUse(image, inUse)) {
    return image.is_present ? "In use." : "In use, though made for an earlier version.";
  }
  return image.is_present ? "Can be used." : "Old: no question uses it any more.";
}

export const oldOnes = (images: OwnImage[]) => images.filter((image) => !image.is_present);

/** Bytes of all of them; layers that they share are counted more than once. */
export const sizeOf = (images: OwnImage[]) =>
  bytes(images.reduce((sum, each) => sum + each.bytes, 0));

/** What was removed, and that something had to stay. */
export function removedWords(old: OwnImage[], removed: OwnImage[]): string {
  const stays = old.length - removed.length;
  const gone = `${counted(removed.length, "old image")} removed.`;
  return stays === 0
    ? gone
    : `${gone} ${counted(stays, "is", "are")} still used by a sandbox and stay${stays === 1 ? "s" : ""}.`;
}

/** The names in what a person has written, with commas, blanks or lines between. */
export const packagesIn = (text: string): string[] =>
  text
    // Blanks around the signs of a version, and before a further one, belong to it.
    .replace(/\s*,\s*(?=[<>=!~])/g, ",")
    .replace(/\s*([<>=!~]+)\s*/g, "$1")
    .match(/(?:\[[^\]]*\]|,(?=[<>=!~])|[^\s,;])+/g) ?? [];
