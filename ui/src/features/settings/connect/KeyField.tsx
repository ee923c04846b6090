import type { ReactNode } from "react";
import type { KeyPlace } from "../../../api";
import { Choice, Field } from "../../../shared";
import { places as words } from "../words";

interface KeyFieldProps {
  text: string;
  /** What to do where no key is kept yet. */
  hint: ReactNode;
  /** Whether it does not go without a key. */
  isNeeded: boolean;
  /** Where a key for this address is kept already. */
  keptAt: KeyPlace | null;
  place: KeyPlace;
  places: KeyPlace[];
  onType: (text: string) => void;
  /** A whole key is there: it was pasted, or the field was left (null). */
  onTyped: (text: string | null) => void;
  onPlace: (place: KeyPlace) => void;
}

/** The key of a service, and where it is to be kept. */
export function KeyField(props: KeyFieldProps) {
  const { text, hint, isNeeded, keptAt, place, places, onType, onTyped, onPlace } = props;
  const asks = text !== "" || (isNeeded && keptAt === null);
  return (
    <>
      <Field
        label="Key"
        hint={
          keptAt === null
            ? hint
            : `A key is kept (${words[keptAt].label.toLowerCase()}). Paste another to replace it.`
        }
        type="password"
        autoComplete="off"
        spellCheck={false}
        placeholder={keptAt === null ? "" : "••••••••"}
        value={text}
        onChange={(event) => {
          const { inputType } = event.nativeEvent as InputEvent;
          if (inputType === "insertFromPaste") onTyped(event.target.value);
          else onType(event.target.value);
        }}
        onBlur={() => onTyped(null)}
        onKeyDown={(event) => event.key === "Enter" && onTyped(null)}
      />
      {asks && (
        <div>
          <p id="key-place" className="mb-1 font-semibold">
            Keep the key
          </p>
          {!places.includes("keychain") && (
            <p className="mb-2 text-sm text-quiet">
              This computer has no keychain that Assay can use.
            </p>
          )}
          <Choice
            labelledBy="key-place"
            value={place}
            onChange={onPlace}
            options={places.map((each) => ({
              value: each,
              label: words[each].label,
              hint: (
                <>
                  {words[each].hint}
                  {words[each].warning && (
                    <strong className="font-semibold text-ink"> {words[each].warning}</strong>
                  )}
                </>
              ),
            }))}
          />
        </div>
      )}
    </>
  );
}
