/** A sentence in which names of columns and files stand between backticks, as the shell writes it. */
export function Named({ text }: { text: string }) {
  return text.split("`").map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <code key={at} className="font-mono text-[0.93em]">
        {part}
      </code>
    ),
  );
}
