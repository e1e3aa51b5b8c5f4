import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import "./jump.css";
import { typedAhead } from "../../browser/keyboard/typed-ahead.js";
import { Dialog } from "../../parts/overlay/dialog.js";
import { en } from "../../text/en/en.js";
import { enJump } from "../../text/en/jump.js";
import { type Place, usePlaces } from "./places.js";
import { useFoundRecords } from "./records.js";

const text = en.frame;

/** Finds a page, a view or a record by its name: type, choose with the arrows, Enter. */
export default function Jump({ onClose }: { readonly onClose: () => void }) {
  const [wanted, setWanted] = useState(typedAhead);
  const [chosen, setChosen] = useState(0);
  const [, go] = useLocation();
  const known = usePlaces(wanted);
  const { groups: found, isSearching } = useFoundRecords(wanted);
  // Later results go below earlier ones: nothing moves under the pointer.
  const seen = new Set(known.flatMap(({ places }) => places.map(({ href }) => href)));
  const groups = [
    ...known,
    ...found.map(({ places, ...group }) => ({
      ...group,
      places: places.filter(({ href }) => !seen.has(href)),
    })),
  ].filter(({ places }) => places.length > 0);
  const all = groups.flatMap(({ places }) => places);
  const at = Math.min(chosen, all.length - 1);
  useEffect(() => {
    document.getElementById(`place-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [at]);
  const open = (place: Place | undefined) => {
    if (place === undefined) return;
    onClose();
    go(place.href);
  };
  return (
    <Dialog title={text.jumpTo} onClose={onClose} closesOutside>
      <input
        className="input"
        type="text"
        role="combobox"
        aria-label={text.jumpTo}
        aria-expanded="true"
        aria-controls="places"
        aria-activedescendant={all.length === 0 ? undefined : `place-${at}`}
        autoComplete="off"
        maxLength={200}
        value={wanted}
        autoFocus
        onChange={(event) => {
          setWanted(event.target.value);
          setChosen(0);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step !== undefined) {
            event.preventDefault();
            setChosen((at + step + all.length) % Math.max(1, all.length));
          }
          // What was found for a former term is not what is meant now.
          const isFormer = isSearching && at >= known.flatMap(({ places }) => places).length;
          if (event.key === "Enter" && !isFormer) open(all[at]);
        }}
      />
      <div id="places" role="listbox" aria-label={text.jumpTo} className="places">
        {groups.map(({ key, name, places }) => (
          // biome-ignore lint/a11y/useSemanticElements: no fieldset is in a list box
          <div key={key} role="group" aria-label={name}>
            <p className="tiny muted" aria-hidden="true">
              <bdi>{name}</bdi>
            </p>
            {places.map((place) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, as a combobox wants
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
              <div
                key={place.href}
                id={`place-${all.indexOf(place)}`}
                role="option"
                aria-selected={all.indexOf(place) === at}
                className="item"
                onClick={() => open(place)}
              >
                <bdi className="cut grow">{place.label}</bdi>
                {place.detail === undefined ? null : (
                  <bdi className="small muted cut">{place.detail}</bdi>
                )}
              </div>
            ))}
          </div>
        ))}
      </div>
      <p role="status" className="small muted">
        {isSearching ? enJump.searching : all.length === 0 ? text.jumpNone(wanted) : null}
      </p>
    </Dialog>
  );
}
