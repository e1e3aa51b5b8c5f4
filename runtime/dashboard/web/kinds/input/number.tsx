import { valueRequired } from "../../../../values/rules.js";
import type { Field as FieldOf } from "../../api/client/types.js";
import { Field } from "../../parts/form/field.js";
import { enRecord } from "../../text/en/record.js";
import { readerMarks } from "../../text/format.js";
import { writeNumber } from "../../text/number-text.js";
import { comparedNumber, fieldNumber } from "../number-value.js";
import { described, joined } from "./described.js";
import { formKind, type InputProps, type Parsed, parsedAs, problem } from "./form-kind.js";
import { ShownText } from "./shown.js";

function NumberInput(props: InputProps) {
  const { field, value, onChange, onLeave } = props;
  const { help, ...rest } = described(props);
  // The error message names the bound.
  const bounds = rest.error === undefined ? enRecord.bounds(field.min, field.max) : undefined;
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
      onLeave={() => {
        // What was typed stays until the field is left; then it gets all its decimals.
        const parsed = parse(field, value);
        if (parsed.kind === "value") onChange(typed(parsed.value, field));
        onLeave();
      }}
    />
  );
}

function parse(field: FieldOf, text: string): Parsed {
  if (text.trim() === "") {
    return field.required === true ? problem(valueRequired, null) : parsedAs(null);
  }
  const read = fieldNumber(field, text, readerMarks);
  return read.kind === "value" ? parsedAs(read.value) : problem(read.message, null);
}

/** Adds all decimals, as long as that does not change the value. */
function typed(value: unknown, { decimals }: FieldOf): string {
  if (value === null || value === undefined) return "";
  return writeNumber(Number(value), decimals, readerMarks);
}

export const number = formKind({
  input: NumberInput,
  typed,
  parse,
  compare: (field, one, other) => {
    if (one.trim() === other.trim()) return true;
    const [first, second] = [one, other].map((text) => comparedNumber(field, text, readerMarks));
    return first?.kind === "value" && second?.kind === "value" && first.value === second.value;
  },
  width: () => "third",
  shown: ShownText,
  isProse: false,
});
