import { useId, useState } from "react";
import type { Resource } from "../../../api/client/types.js";
import { labelOf } from "../../../api/records/descriptors.js";
import { controlOf } from "../../../kinds/input/inputs.js";
import { kindOf } from "../../../kinds/kinds.js";
import { Button } from "../../../parts/button/button.js";
import { Choice } from "../../../parts/form/choice.js";
import { enBulk } from "../../../text/en/bulk.js";
import { en } from "../../../text/en/en.js";
import { count } from "../../../text/format.js";
import { mostUndone } from "./former-values.js";

const text = enBulk;

/** A dialog that sets one field to the same value in all selected records. */
export function EditForm({
  resource,
  canUndo,
  button,
  onCancel,
  onEdit,
}: {
  readonly resource: Resource;
  readonly canUndo: boolean;
  readonly button: string;
  readonly onCancel: () => void;
  readonly onEdit: (values: Readonly<Record<string, unknown>>) => void;
}) {
  const fields = resource.fields.filter(
    ({ writable, unique }) => writable !== false && unique !== true,
  );
  const [name, setName] = useState("");
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<string | undefined>();
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const field = fields.find((one) => one.name === name);
  const Input = field === undefined ? null : controlOf(field).input;
  if (fields.length === 0) return <p>{text.noField}</p>;
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (field === undefined || isBusy) return;
        const parsed = kindOf(field).form.parse(field, typed);
        if (parsed.kind === "problem") setError(parsed.message);
        else onEdit({ [field.name]: parsed.value });
      }}
    >
      <p className="muted">{text.editText}</p>
      {canUndo ? null : <p className="muted">{text.undoText(count(mostUndone))}</p>}
      <Choice
        label={text.field}
        value={name}
        options={[
          ...(name === "" ? [{ value: "", label: text.choose }] : []),
          ...fields.map((one) => ({ value: one.name, label: labelOf(one) })),
        ]}
        onChange={(next) => {
          setName(next);
          setTyped("");
          setError(undefined);
        }}
      />
      {Input === null || field === undefined ? null : (
        <Input
          key={name}
          field={field}
          resource={resource}
          id={`${id}value`}
          value={typed}
          error={error}
          onChange={(next) => {
            setTyped(next);
            setError(undefined);
          }}
          onLeave={() => {}}
          related={null}
          file={null}
          onBusy={setBusy}
          onCreate={null}
        />
      )}
      <div className="actions">
        <Button onPress={onCancel}>{en.common.cancel}</Button>
        <Button
          look="primary"
          type="submit"
          isBusy={isBusy}
          barred={field === undefined ? text.field : undefined}
        >
          {button}
        </Button>
      </div>
    </form>
  );
}
