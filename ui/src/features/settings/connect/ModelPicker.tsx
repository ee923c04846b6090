import { useId, useState, type KeyboardEvent } from "react";
import type { ListedModel } from "../../../api";
import {
  Button,
  classes,
  counted,
  Field,
  inWords,
  price,
  ProblemCard,
  Wait,
  type Call,
} from "../../../shared";
import { matching } from "./draft";

interface ModelPickerProps {
  value: string;
  listed: Call<ListedModel[]>;
  /** The row is null for a name that is not in the list. */
  onChange: (name: string, row: ListedModel | null) => void;
  onRetry: () => void;
}

/** Beyond this many the person is asked to type a part of the name. */
const MOST = 60;

/** The model: from the server's list, which can be searched, or any name that is typed. */
export function ModelPicker({ value, listed, onChange, onRetry }: ModelPickerProps) {
  const id = useId();
  const rows = listed.state === "done" ? listed.answer : [];
  const exact = rows.find(({ name }) => name === value) ?? null;
  const [browsing, browse] = useState(false);
  const [active, activate] = useState(0);
  // A name of the list that was chosen is no search for itself.
  const found = matching(rows, exact === null ? value : "");
  const shown = found.slice(0, MOST);
  const isOpen = shown.length > 0 && (browsing || exact === null);

  const take = (row: ListedModel) => {
    onChange(row.name, row);
    browse(false);
  };
  const press = (event: KeyboardEvent) => {
    if (shown.length === 0) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const next = !isOpen ? active : active + (event.key === "ArrowDown" ? 1 : -1);
      const to = Math.min(shown.length - 1, Math.max(0, next));
      browse(true);
      activate(to);
      document.getElementById(`${id}-${to}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && isOpen) {
      event.preventDefault();
      const row = shown[active];
      if (row !== undefined) take(row);
    }
  };

  return (
    <div className="grid gap-2">
      <Field
        label="Model"
        hint={hintOf(listed)}
        spellCheck={false}
        autoComplete="off"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen ? `${id}-${active}` : undefined}
        aria-autocomplete="list"
        value={value}
        onChange={(event) => {
          const name = event.target.value;
          onChange(name, rows.find((row) => row.name === name) ?? null);
          browse(true);
          activate(0);
        }}
        onKeyDown={press}
      />
      {listed.state === "busy" && <Wait label="Asking for the list of models …" limit_s={15} />}
      {listed.state === "failed" && (
        <ProblemCard
          problem={listed.problem}
          actions={<Button onClick={onRetry}>Try again</Button>}
        />
      )}
      {isOpen && (
        <ul
          id={`${id}-list`}
          role="listbox"
          aria-label="Models of this server"
          className="max-h-56 overflow-y-auto rounded-md border border-line py-1"
        >
          {shown.map((row, at) => (
            <Row
              key={row.name}
              id={`${id}-${at}`}
              row={row}
              isChosen={row.name === value}
              isActive={at === active}
              onTake={() => take(row)}
            />
          ))}
        </ul>
      )}
      {isOpen && found.length > shown.length && (
        <p className="text-sm text-quiet">
          And {counted(found.length - shown.length, "more", "more")}: type a part of the name.
        </p>
      )}
      {exact !== null && !isOpen && (
        <p className="flex flex-wrap items-center gap-x-3 text-sm text-quiet">
          {factsOf(exact)}
          <Button tone="quiet" className="-my-1" onClick={() => browse(true)}>
            Show all {rows.length}
          </Button>
        </p>
      )}
    </div>
  );
}

interface RowProps {
  id: string;
  row: ListedModel;
  isChosen: boolean;
  isActive: boolean;
  onTake: () => void;
}

function Row({ id, row, isChosen, isActive, onTake }: RowProps) {
  return (
    // The keys are taken by the field, which names this row as the active one.
    <li
      id={id}
      role="option"
      aria-selected={isChosen}
      // The field keeps the focus, so that what it holds is not taken as finished.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onTake}
      className={classes(
        "flex cursor-pointer flex-wrap justify-between gap-x-4 px-3 py-1 hover:bg-sunken",
        isActive && "bg-accent-wash",
      )}
    >
      <span className={isChosen ? "font-semibold" : ""}>{row.name}</span>
      <span className="text-sm text-quiet">{factsOf(row)}</span>
    </li>
  );
}

function hintOf(listed: Call<ListedModel[]>): string {
  if (listed.state !== "done") return "The name the model has there.";
  const rows = listed.answer;
  if (rows.length === 0) return "The server gives no list. Type the name the model has there.";
  const prices = rows.some((row) => row.price !== null)
    ? " Prices are for a million tokens, about 750,000 words, in and out."
    : "";
  return `${counted(rows.length, "model")} to choose from. Type to search, or any other name.${prices}`;
}

/** What the list says of a model: how much it reads, and what it costs. */
function factsOf({ context_tokens, price: cost }: ListedModel): string {
  return [
    context_tokens === null ? "" : `reads ${inWords(context_tokens)}`,
    cost === null ? "" : `${price(cost.input)} in, ${price(cost.output)} out`,
  ]
    .filter((fact) => fact !== "")
    .join(" · ");
}
