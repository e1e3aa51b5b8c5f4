import { useId, useState } from "react";
import type { Field, Resource } from "../../../api/client/types.js";
import { labelOf } from "../../../api/records/descriptors.js";
import { controlOf } from "../../../kinds/input/inputs.js";
import { kindOf } from "../../../kinds/kinds.js";
import { Button } from "../../../parts/button/button.js";
import { Choice } from "../../../parts/form/choice.js";
import { enImport } from "../../../text/en/import.js";

const text = enImport.fixed;

/** Values for all rows, by field. */
export type Fixed = Readonly<Record<string, unknown>>;

/** The fields that no column is mapped to, with their values for all rows. */
export function FixedFields({
  resource,
  fields,
  fixed,
  onChange,
}: {
  readonly resource: Resource;
  /** The fields that no column is mapped to. */
  readonly fields: readonly Field[];
  readonly fixed: Fixed;
  readonly onChange: (fixed: Fixed) => void;
}) {
  const [names, setNames] = useState<readonly string[]>([]);
  const others = fields.filter((field) => !names.includes(field.name) && !kindOf(field).isFile);
  return (
    <>
      {fields
        .filter(({ name }) => names.includes(name))
        .map((field) => (
          <FixedField
            key={field.name}
            {...{ resource, field }}
            onValue={(value) => onChange({ ...fixed, [field.name]: value })}
            onRemove={() => {
              const { [field.name]: _, ...rest } = fixed;
              setNames(names.filter((name) => name !== field.name));
              onChange(rest);
            }}
          />
        ))}
      {others.length === 0 ? null : (
        <div className="mode">
          <Choice
            label={text.add}
            value=""
            options={[
              { value: "", label: text.choose },
              ...others.map((field) => ({ value: field.name, label: labelOf(field) })),
            ]}
            onChange={(name) => setNames([...names, name].filter((one) => one !== ""))}
          />
        </div>
      )}
    </>
  );
}

/** Takes effect when the input loses the focus, unless it is invalid. */
function FixedField({
  resource,
  field,
  onValue,
  onRemove,
}: {
  readonly resource: Resource;
  readonly field: Field;
  readonly onValue: (value: unknown) => void;
  readonly onRemove: () => void;
}) {
  const id = useId();
  const { form } = kindOf(field);
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<string | undefined>();
  const Input = controlOf(field).input;
  const settle = (written: string) => {
    const parsed = form.parse(field, written);
    setError(parsed.kind === "problem" ? parsed.message : undefined);
    if (parsed.kind !== "problem") onValue(parsed.value);
  };
  return (
    <div className="stack near">
      <Input
        field={field}
        resource={resource}
        id={id}
        value={typed}
        error={error}
        onChange={(written) => {
          setTyped(written);
          if (!isTyped.has(form.input)) settle(written);
        }}
        onLeave={() => {
          if (isTyped.has(form.input)) settle(typed);
        }}
        related={null}
        file={null}
        onBusy={() => {}}
        onCreate={null}
      />
      <div>
        <Button size="small" onPress={onRemove}>
          {text.remove(labelOf(field))}
        </Button>
      </div>
    </div>
  );
}

/** Controls whose value changes with each key. */
const isTyped: ReadonlySet<string> = new Set(["line", "lines", "number"]);
