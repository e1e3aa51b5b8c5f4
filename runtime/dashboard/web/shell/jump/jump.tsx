import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import "./jump.css";
import { typedAhead } from "../../browser/keyboard/typed-ahead.js";
import { Button } from "../../parts/button/button.js";
import { Icon } from "../../parts/button/icon.js";
import { Dialog } from "../../parts/overlay/dialog.js";
import { en } from "../../text/en/en.js";
import { enJump } from "../../text/en/jump.js";
import type { Layer } from "../oneself.js";
import { useActions } from "./actions.js";
import { Found } from "./found.js";
import type { Place } from "./place.js";
import { usePlaces } from "./places.js";
import { useFoundRecords } from "./records.js";

const text = en.frame;

export interface JumpProps {
  readonly onClose: () => void;
  readonly onLayer: (layer: Layer) => void;
}

/** Finds a page, a view, a record or an action by its name: type, choose with the arrows, Enter. */
export default function Jump({ onClose, onLayer }: JumpProps) {
  const [wanted, setWanted] = useState(typedAhead);
  const [chosen, setChosen] = useState(0);
  const [, go] = useLocation();
  const places = usePlaces(wanted);
  const actions = useActions(wanted, onLayer);
  const { groups: found, isSearching } = useFoundRecords(wanted);
  const known = [...places, actions];
  // Later results go below earlier ones: nothing moves under the pointer.
  const seen = new Set(known.flatMap((group) => group.places.map(({ key }) => key)));
  const groups = [
    ...known,
    ...found.map((group) => ({
      ...group,
      places: group.places.filter(({ key }) => !seen.has(key)),
    })),
  ].filter((group) => group.places.length > 0);
  const all = groups.flatMap((group) => group.places);
  const at = Math.min(chosen, all.length - 1);
  useEffect(() => {
    document.getElementById(`place-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [at]);
  const open = (place: Place | undefined) => {
    if (place === undefined) return;
    onClose();
    if (place.onAction === null) go(place.key);
    else place.onAction();
  };
  return (
    <Dialog title={text.jumpTo} look="palette" onClose={onClose} closesOutside>
      <div className="jump-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label={text.jumpTo}
          aria-expanded="true"
          aria-controls="places"
          aria-activedescendant={all.length === 0 ? undefined : `place-${at}`}
          placeholder={enJump.placeholder}
          autoComplete="off"
          spellCheck={false}
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
            // Results of a previous term no longer match the user's input.
            const isFormer = isSearching && at >= seen.size;
            if (event.key === "Enter" && !isFormer) open(all[at]);
          }}
        />
        <Button look="quiet" size="small" icon="close" label={en.common.close} onPress={onClose} />
      </div>
      <Found groups={groups} at={at} onOpen={open} />
      <p role="status" className="small muted">
        {isSearching ? enJump.searching : all.length === 0 ? text.jumpNone(wanted) : null}
      </p>
    </Dialog>
  );
}
