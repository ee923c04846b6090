import type { KeyPlace, Preset } from "../../../api";
import { Choice, Field } from "../../../shared";
import { places as words } from "../words";

interface KeyFieldProps {
  preset: Preset;
  text: string;
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
  const { preset, text, keptAt, place, places, onType, onTyped, onPlace } = props;
  const asks = text !== "" || (preset.place === "hosted" && keptAt === null);
  return (
    <>
      <Field
        label="Key"
        hint={<Hint preset={preset} keptAt={keptAt} />}
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

function Hint({ preset, keptAt }: { preset: Preset; keptAt: KeyPlace | null }) {
  if (keptAt !== null) {
    return <>A key is kept ({words[keptAt].label.toLowerCase()}). Paste another to replace it.</>;
  }
  if (preset.key_page === null) return <>Only if the server asks for one.</>;
  return (
    <>
      Paste it here. You get one at <span className="select-all">{preset.key_page}</span>
    </>
  );
}
