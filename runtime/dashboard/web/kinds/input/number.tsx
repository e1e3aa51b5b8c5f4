import type { Field as FieldOf } from "../../api/client/types.js";
import { Field } from "../../parts/form/field.js";
import { enRecord } from "../../text/en/record.js";
import { readerNumbers } from "../../text/figures.js";
import type { Parsed } from "../form-rules.js";
import { kindOf } from "../kinds.js";
import { fieldNumber, nearBounds } from "../value/number-value.js";
import { described, joined } from "./described.js";
import type { InputProps } from "./input.js";

export function NumberInput(props: InputProps) {
  const { field, value, onChange, onLeave } = props;
  const { help, ...rest } = described(props);
  // An error message already states the limit.
  const { parse, typed } = kindOf(field).form;
  const parsed = parse(field, value);
  const bounds = rest.error === undefined ? boundsText(field, parsed) : undefined;
  return (
    <Field
      {...rest}
      name={field.name}
      className="num"
      inputMode={field.integer === true || field.decimals === 0 ? "numeric" : "decimal"}
      autoComplete="off"
      placeholder={field.placeholder}
      help={bounds === undefined ? help : joined(help, bounds)}
      value={value}
      onChange={onChange}
      choices={rest.error === undefined ? [] : choicesOf(field, value)}
      onLeave={() => {
        // The text stays as typed until the field loses focus; then it is formatted as in a list.
        if (parsed.kind === "value") onChange(typed(parsed.value, field));
        onLeave();
      }}
    />
  );
}

/** The limits near the value, formatted as elsewhere. */
function boundsText(field: FieldOf, parsed: Parsed): string | undefined {
  const value = parsed.kind === "value" && parsed.value !== null ? Number(parsed.value) : null;
  const { min, max } = nearBounds(field, value);
  const { typed } = kindOf(field).form;
  return enRecord.bounds(
    min === undefined ? undefined : typed(min, field),
    max === undefined ? undefined : typed(max, field),
  );
}

/** The possible meanings of an ambiguous number. */
function choicesOf(field: FieldOf, text: string): readonly string[] {
  const read = fieldNumber(field, text, readerNumbers);
  return read.kind === "problem" ? read.choices : [];
}
