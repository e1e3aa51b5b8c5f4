import { useState } from "react";
import "./keys.css";
import { mainKey } from "../browser/keyboard/free-keys.js";
import { prefer, preference } from "../browser/storage/preferences.js";
import { Switch } from "../parts/form/switch.js";
import { Dialog } from "../parts/overlay/dialog.js";
import { enKeys } from "../text/en/keys.js";
import { undoMs } from "../undo/use-undo.js";

const text = enKeys;

/** All keyboard shortcuts, and the setting for single letters. */
export default function Keys({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useState(preference("letterKeys") === "on");
  const main = mainKey();
  return (
    <Dialog title={text.title} onClose={onClose} closesOutside>
      <Switch
        id="letter-keys"
        label={text.letters}
        help={text.named(text.lettersHelp, main)}
        isOn={isOn}
        onChange={(next) => {
          prefer("letterKeys", next ? "on" : "off");
          setOn(next);
        }}
      />
      {text.places.map(({ name, keys }) => (
        <section key={name} className="stack near">
          <h3>{name}</h3>
          <dl className="keys">
            {keys.map(([key = "", does = ""]) => (
              <div key={key}>
                <dt>
                  <kbd>{text.named(key, main)}</kbd>
                </dt>
                <dd>{text.does(does, undoMs / 1_000)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
