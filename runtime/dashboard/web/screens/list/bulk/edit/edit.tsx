import { useId, useState } from "react";
import type { Field, Resource } from "../../../../api/client/types.js";
import { labelOf } from "../../../../api/records/descriptors.js";
import { controlOf } from "../../../../kinds/input/inputs.js";
import { kindOf } from "../../../../kinds/kinds.js";
import { Button } from "../../../../parts/button/button.js";
import { Choice } from "../../../../parts/form/choice.js";
import { enBulk } from "../../../../text/en/bulk.js";
import { en } from "../../../../text/en/en.js";
import { count } from "../../../../text/format.js";
import type { Selection } from "../../rows/selection.js";
import { mostUndone } from "./former-values.js";
import { EditPreview, type Entry } from "./preview.js";

const text = enBulk;

export interface EditFormProps {
  readonly resource: Resource;
  readonly selection: Selection;
  readonly total: number;
  readonly button: string;
  readonly onCancel: () => void;
  readonly onEdit: (values: Readonly<Record<string, unknown>>) => void;
}

/** A dialog that sets one or several fields to the same values in all selected records. */
export function EditForm({ resource, selection, total, button, onCancel, onEdit }: EditFormProps) {
  const fields = resource.fields.filter(
    ({ writable, unique }) => writable !== false && unique !== true,
  );
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  if (fields.length === 0) return <p>{text.noField}</p>;
  const others = fields.filter(({ name }) => entries.every(({ field }) => field.name !== name));
  const set = (changed: Entry) => {
    setEntries(entries.map((one) => (one.field.name === changed.field.name ? changed : one)));
    setErrors(without(errors, changed.field.name));
  };
  const remove = ({ name }: Field) => {
    setEntries(entries.filter(({ field }) => field.name !== name));
    setErrors(without(errors, name));
  };
  const send = () => {
    if (entries.length === 0 || busy.size > 0) return;
    const read = valuesOf(entries);
    setErrors(read.errors);
    if (Object.keys(read.errors).length === 0) onEdit(read.values);
  };
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <p className="muted">{text.editText}</p>
      {total <= mostUndone ? null : <p className="muted">{text.undoText(count(mostUndone))}</p>}
      {entries.map((entry) => (
        <EntryInput
          key={entry.field.name}
          entry={entry}
          resource={resource}
          error={errors[entry.field.name]}
          onChange={(typed) => set({ ...entry, typed })}
          onRemove={entries.length === 1 ? null : () => remove(entry.field)}
          onBusy={(isBusy) =>
            setBusy((before) => {
              // Returns the same set if nothing changes, to avoid a render.
              if (before.has(entry.field.name) === isBusy) return before;
              const others = [...before].filter((name) => name !== entry.field.name);
              return new Set(isBusy ? [...others, entry.field.name] : others);
            })
          }
        />
      ))}
      {others.length === 0 ? null : (
        <FieldChoice
          // Resets the choice after each new entry.
          key={entries.length}
          label={entries.length === 0 ? text.field : text.anotherField}
          fields={others}
          onChoose={(field) => setEntries([...entries, { field, typed: "" }])}
        />
      )}
      {entries.length === 0 ? null : (
        <EditPreview resource={resource} selection={selection} total={total} entries={entries} />
      )}
      <div className="actions">
        <Button onPress={onCancel}>{en.common.cancel}</Button>
        <Button
          look="primary"
          type="submit"
          isBusy={busy.size > 0}
          barred={entries.length === 0 ? text.field : undefined}
        >
          {button}
        </Button>
      </div>
    </form>
  );
}

function FieldChoice({
  label,
  fields,
  onChoose,
}: {
  readonly label: string;
  readonly fields: readonly Field[];
  readonly onChoose: (field: Field) => void;
}) {
  return (
    <Choice
      label={label}
      value=""
      options={[
        { value: "", label: text.choose },
        ...fields.map((one) => ({ value: one.name, label: labelOf(one) })),
      ]}
      onChange={(name) => {
        const field = fields.find((one) => one.name === name);
        if (field !== undefined) onChoose(field);
      }}
    />
  );
}

interface EntryInputProps {
  readonly entry: Entry;
  readonly resource: Resource;
  readonly error: string | undefined;
  readonly onChange: (typed: string) => void;
  /** Null for the only entry. */
  readonly onRemove: (() => void) | null;
  readonly onBusy: (isBusy: boolean) => void;
}

function EntryInput({ entry, resource, error, onChange, onRemove, onBusy }: EntryInputProps) {
  const { field, typed } = entry;
  const Input = controlOf(field).input;
  const id = useId();
  return (
    <div className="row">
      <div className="grow">
        <Input
          field={field}
          resource={resource}
          id={`${id}value`}
          value={typed}
          error={error}
          onChange={onChange}
          onLeave={() => {}}
          related={null}
          file={null}
          onBusy={onBusy}
          onCreate={null}
        />
      </div>
      {onRemove === null ? null : (
        <Button
          look="quiet"
          icon="close"
          label={text.removeField(labelOf(field))}
          onPress={onRemove}
        />
      )}
    </div>
  );
}

interface ReadEntries {
  readonly values: Readonly<Record<string, unknown>>;
  /** Messages by field name. */
  readonly errors: Readonly<Record<string, string>>;
}

function valuesOf(entries: readonly Entry[]): ReadEntries {
  const values: Record<string, unknown> = {};
  const errors: Record<string, string> = {};
  for (const { field, typed } of entries) {
    const parsed = kindOf(field).form.parse(field, typed);
    if (parsed.kind === "problem") errors[field.name] = parsed.message;
    else values[field.name] = parsed.value;
  }
  return { values, errors };
}

function without<Value>(record: Readonly<Record<string, Value>>, name: string) {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
}
