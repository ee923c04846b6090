/** Where a link or picture of a report leads. */
export type Target =
  | { kind: "file"; path: string }
  | { kind: "web"; host: string; url: string }
  | { kind: "place"; id: string }
  | { kind: "refused" };

/**
 * Reads the destination of a link as Markdown gives it. Files are named by their path below the
 * run's folder; whatever would leave it, and every other scheme, is refused.
 */
export function target(destination: string): Target {
  const text = destination.trim();
  if (text.startsWith("#")) return { kind: "place", id: decoded(text.slice(1)) };
  if (/^(https?:)?\/\//i.test(text)) return web(text);
  if (text === "" || /^[a-z][a-z0-9+.-]*:/i.test(text)) return { kind: "refused" };
  const path = decoded(text);
  const parts = path.split(/[/\\]/).filter((part, at) => part !== "." && !(part === "" && at > 0));
  // A scheme, a drive or a step upwards may also hide behind percent signs.
  const leaves = parts.some((part) => part === ".." || part === "" || part.includes(":"));
  const hidden = [...path].some((character) => character < " ");
  return leaves || hidden ? { kind: "refused" } : { kind: "file", path: parts.join("/") };
}

function web(text: string): Target {
  try {
    const url = new URL(text, "https://x.invalid");
    return { kind: "web", host: url.host, url: url.href };
  } catch {
    return { kind: "refused" };
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The file of the run that a path means. Models also write paths from the workspace's root; what follows `?`
 * or `#` is a part of the name where there is such a file, and of the address otherwise.
 */
export function fileOf<File extends { path: string }>(
  files: readonly File[],
  path: string,
): File | undefined {
  const named = (name: string) => files.find((file) => file.path === name);
  return [path, path.replace(/[?#].*$/s, "")]
    .flatMap((each) => [each, each.normalize("NFC"), each.replace(/^output\//, "")])
    .map(named)
    .find((file) => file !== undefined);
}
