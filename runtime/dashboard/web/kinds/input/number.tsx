import {
  decimalProblem,
  integerProblem,
  rangeProblem,
  valueRequired,
} from "../../../../values/rules.js";
import type { Field as FieldOf } from "../../api/client/types.js";
import { Field } from "../../parts/form/field.js";
import { enRecord } from "../../text/en-record.js";
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

/** Normalises a typed number: no whitespace between thousands, and one comma may be the decimal separator. */
function read(text: string): number | null {
  const plain = text.replace(/[\s\u00a0\u202f]/g, "").replace(/^([^.,]*),([^.,]*)$/, "$1.$2");
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(plain) ? Number(plain) : null;
}

function parse(field: FieldOf, text: string): Parsed {
  if (text.trim() === "") {
    return field.required === true ? problem(valueRequired, null) : parsedAs(null);
  }
  const value = read(text);
  if (value === null || !Number.isFinite(value)) {
    return problem(field.integer === true ? "Must be a whole number" : "Must be a number", null);
  }
  const { min, max, decimals } = field;
  const rules = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
  if (field.integer === true) return problem(integerProblem(value, rules), value);
  if (decimals !== undefined) return problem(decimalProblem(value, { ...rules, decimals }), value);
  return problem(rangeProblem(value, rules), value);
}

/** Adds all decimals, as long as that does not change the value. */
function typed(value: unknown, { decimals }: FieldOf): string {
  if (value === null || value === undefined) return "";
  const number = Number(value);
  if (decimals === undefined) return String(value);
  const fixed = number.toFixed(Math.min(100, decimals));
  return Number(fixed) === number && !fixed.includes("e") ? fixed : String(value);
}

export const number = formKind({
  input: NumberInput,
  typed,
  parse,
  compare: (_, one, other) => {
    if (one.trim() === other.trim()) return true;
    const [first, second] = [read(one), read(other)];
    return first !== null && first === second;
  },
  width: () => "third",
  shown: ShownText,
  isProse: false,
});
