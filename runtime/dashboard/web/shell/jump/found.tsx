import { Marked } from "../../kinds/value/marked.js";
import { en } from "../../text/en/en.js";
import type { Place, PlaceGroup } from "./place.js";

export interface FoundProps {
  readonly groups: readonly PlaceGroup[];
  /** The index of the place that Enter opens, counted over all groups. */
  readonly at: number;
  readonly onOpen: (place: Place) => void;
}

/** The results in groups: the listbox of the field above, which keeps the focus and handles the keys. */
export function Found({ groups, at, onOpen }: FoundProps) {
  const all = groups.flatMap(({ places }) => places);
  return (
    <div id="places" role="listbox" aria-label={en.frame.jumpTo} className="places">
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
              key={place.key}
              id={`place-${all.indexOf(place)}`}
              role="option"
              aria-selected={all.indexOf(place) === at}
              className="item"
              onClick={() => onOpen(place)}
            >
              {place.icon}
              {place.markedLabel === undefined ? (
                <bdi className="cut grow">{place.label}</bdi>
              ) : (
                <span className="cut grow">
                  <Marked html={place.markedLabel} />
                </span>
              )}
              <Detail place={place} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function Detail({ place: { detail, reason } }: { readonly place: Place }) {
  if (reason !== undefined) {
    return (
      <span className="small muted cut">
        <Marked html={reason} />
      </span>
    );
  }
  return detail === undefined ? null : <bdi className="small muted cut num">{detail}</bdi>;
}
