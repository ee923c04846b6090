import bash from "highlight.js/lib/languages/bash";
import python from "highlight.js/lib/languages/python";
import { createLowlight } from "lowlight";
import { memo, useMemo, type ReactNode } from "react";

const lowlight = createLowlight({ python, bash });

/** Beyond this many characters code is shown plain. */
const COLOUR_LIMIT = 40_000;

const COLOURS: Record<string, string> = {
  "hljs-comment": "text-quiet italic",
  "hljs-keyword": "text-accent-ink",
  "hljs-built_in": "text-derived",
  "hljs-literal": "text-accent-ink",
  "hljs-number": "text-derived",
  "hljs-string": "text-found",
  "hljs-title": "font-semibold",
  "hljs-meta": "text-quiet",
};

type Part = ReturnType<typeof lowlight.highlight>["children"][number];

function drawn(part: Part, key: number): ReactNode {
  if (part.type === "text") return part.value;
  if (part.type !== "element") return null;
  const names = part.properties.className;
  const colour = Array.isArray(names)
    ? names.map((name) => COLOURS[String(name)] ?? "").join(" ")
    : "";
  return (
    <span key={key} className={colour}>
      {part.children.map((child, at) => drawn(child as Part, at))}
    </span>
  );
}

/** Code with its words coloured; scrolls by itself where it is long. */
export const Code = memo(function Code({
  source,
  language,
  label,
}: {
  source: string;
  language: "python" | "bash" | "plain";
  label: string;
}) {
  const parts = useMemo(
    () =>
      language === "plain" || source.length > COLOUR_LIMIT
        ? source
        : lowlight.highlight(language, source).children.map(drawn),
    [source, language],
  );
  return (
    <pre
      role="region"
      aria-label={label}
      tabIndex={0}
      className="max-h-80 overflow-auto rounded-md bg-sunken px-3 py-2 font-mono text-xs leading-relaxed"
    >
      <code className="[overflow-wrap:normal]">{parts}</code>
    </pre>
  );
});
