import { useState } from "react";
import { Button } from "../../../parts/button/button.js";
import { Field } from "../../../parts/form/field.js";
import { enBulk } from "../../../text/en/bulk.js";
import { en } from "../../../text/en/en.js";

const text = enBulk;

/** Above this many records, the user has to type their number. */
const typedFrom = 20;

export function DeleteForm({
  total,
  button,
  onCancel,
  onDelete,
}: {
  readonly total: number;
  readonly button: string;
  readonly onCancel: () => void;
  readonly onDelete: () => void;
}) {
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (total > typedFrom && typed.trim() !== String(total)) setWrong(true);
        else onDelete();
      }}
    >
      <p>{text.deleteText}</p>
      {total > typedFrom ? (
        <Field
          label={text.typeNumber(String(total))}
          name="number"
          inputMode="numeric"
          value={typed}
          error={isWrong ? text.wrongNumber : undefined}
          onChange={(next) => {
            setWrong(false);
            setTyped(next);
          }}
        />
      ) : null}
      <div className="actions">
        <Button onPress={onCancel}>{en.common.cancel}</Button>
        <Button look="danger" type="submit">
          {button}
        </Button>
      </div>
    </form>
  );
}
