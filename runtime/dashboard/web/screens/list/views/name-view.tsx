import { useState } from "react";
import { Button } from "../../../parts/button/button.js";
import { Field } from "../../../parts/form/field.js";
import { Switch } from "../../../parts/form/switch.js";
import { Dialog } from "../../../parts/overlay/dialog.js";
import { en } from "../../../text/en/en.js";
import { enList } from "../../../text/en/list.js";

const text = enList;

export interface NameViewProps {
  readonly title: string;
  readonly name: string;
  /** The list's records, such as `products`, if the view can be shared with all who may list them. */
  readonly sharedWith: string | null;
  readonly onSave: (name: string, isShared: boolean) => void;
  readonly onClose: () => void;
}

/** Asks for the name of a view, and whether a new one is shared. Loaded on first use. */
export default function NameView({ title, name, sharedWith, onSave, onClose }: NameViewProps) {
  const [typed, setTyped] = useState(name);
  const [isWrong, setWrong] = useState(false);
  const [isShared, setShared] = useState(false);
  return (
    <Dialog title={title} onClose={onClose} closesOutside={typed === name}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() === "") setWrong(true);
          else onSave(typed.trim(), isShared);
        }}
      >
        <Field
          label={text.viewName}
          name="name"
          value={typed}
          maxLength={60}
          autoFocus
          error={isWrong ? en.common.required : undefined}
          onChange={(next) => {
            setWrong(false);
            setTyped(next);
          }}
        />
        {sharedWith === null ? null : (
          <Switch
            id="shared-view"
            label={text.shareWith(sharedWith)}
            help={text.shareHelp}
            isOn={isShared}
            onChange={setShared}
          />
        )}
        <div className="actions">
          <Button onPress={onClose}>{en.common.cancel}</Button>
          <Button look="primary" type="submit">
            {en.common.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
