import type { ForClipboard, Problem } from "../../api";

/** As what something is put on the clipboard. */
export type CopyKind = "rich" | "plain";

const refused = (thrown: unknown): Problem => ({
  code: "sandbox",
  message: "This window could not copy.",
  hint: "Save it as a file instead.",
  detail: String(thrown),
});

/**
 * Puts what the shell tells on the clipboard; answers what was left out, if anything. The shell's promise is
 * handed over unresolved: web views allow the clipboard only while a press lasts.
 */
export async function copyWords(
  told: Promise<ForClipboard>,
  kind: CopyKind,
): Promise<string | null> {
  const written = write(told, kind);
  // Where the shell has failed, its own reason is the better one.
  const [answer, end] = await Promise.allSettled([told, written]);
  if (answer.status === "rejected") throw answer.reason;
  if (end.status === "rejected") throw refused(end.reason);
  return answer.value.remark;
}

async function write(told: Promise<ForClipboard>, kind: CopyKind): Promise<void> {
  const plain = told.then(({ text }) => new Blob([text], { type: "text/plain" }));
  const parts: Record<string, Promise<Blob>> = { "text/plain": plain };
  if (kind === "rich") parts["text/html"] = told.then(richOf);
  // A web view that gives up early leaves these to nobody.
  for (const part of Object.values(parts)) part.catch(() => undefined);
  await navigator.clipboard.write([new ClipboardItem(parts)]);
}

/** The kinds are named before the answer is there; without a rich form the plain one is written as such. */
function richOf({ html, text }: ForClipboard): Blob {
  const box = document.createElement("pre");
  box.textContent = text;
  return new Blob([html ?? box.outerHTML], { type: "text/html" });
}
