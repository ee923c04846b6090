import type { Block, Item } from "../../../api";
import { Blocks } from "./Blocks";
import { wordsOf } from "./words";

interface ListProps {
  list: Extract<Block, { block: "list" }>;
  dir: "auto" | undefined;
}

/** A list; a task has a box that says whether it is done. */
export function List({ list: { start, items }, dir }: ListProps) {
  const lines = items.map((item, at) => <Line key={at} item={item} />);
  if (start === null) return <ul dir={dir}>{lines}</ul>;
  return (
    <ol dir={dir} start={start}>
      {lines}
    </ol>
  );
}

function Line({ item: { done, blocks } }: { item: Item }) {
  if (done === null) {
    return (
      <li>
        <Blocks blocks={blocks} />
      </li>
    );
  }
  const [first] = blocks;
  const name = first?.block === "paragraph" ? wordsOf(first.content) : "Task";
  return (
    <li className="report-task">
      <input type="checkbox" checked={done} readOnly disabled aria-label={name} />
      <Blocks blocks={blocks} />
    </li>
  );
}
