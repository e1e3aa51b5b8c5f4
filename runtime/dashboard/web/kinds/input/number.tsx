import { valueRequired } from "../../../../values/rules.js";
import type { Field as FieldOf } from "../../api/client/types.js";
import { Field } from "../../parts/form/field.js";
import { enRecord } from "../../text/en/record.js";
import { readerNumbers } from "../../text/format.js";
import { comparedNumber, fieldNumber } from "../number-value.js";
import { described, joined } from "./described.js";
import { formKind, type InputProps, type Parsed, parsedAs, problem } from "./form-kind.js";
import { ShownText } from "./shown.js";

function NumberInput(props: InputProps) {
  const { field, value, onChange, onLeave } = props;
  const { help, ...rest } = described(props);
  // The error message names the bound.
  const bounds = rest.error === undefined ? enRecord.bounds(field.min, field.max) : undefined;
  const parsed = parse(field, value);
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
        // What was typed stays until the field is left; then it is written as in a list.
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
  const read = fieldNumber(field, text, readerNumbers);
  return read.kind === "value" ? parsedAs(read.value) : problem(read.message, null);
}

/** The numbers that an unclear text can mean. */
function choicesOf(field: FieldOf, text: string): readonly string[] {
  const read = fieldNumber(field, text, readerNumbers);
  return read.kind === "problem" ? read.choices : [];
}

function typed(value: unknown, { decimals }: FieldOf): string {
  if (value === null || value === undefined) return "";
  return readerNumbers.write(Number(value), decimals);
}

export const number = formKind({
  input: NumberInput,
  typed,
  parse,
  compare: (_, one, other) => {
    if (one.trim() === other.trim()) return true;
    const [first, second] = [one, other].map((text) => comparedNumber(text, readerNumbers));
    return first?.kind === "value" && second?.kind === "value" && first.value === second.value;
  },
  width: () => "third",
  shown: ShownText,
  isProse: false,
});
