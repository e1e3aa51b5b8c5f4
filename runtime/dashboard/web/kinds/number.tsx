import type { Field } from "../api/client/types.js";
import type { Operator } from "../browser/address/list-address.js";
import { joinValues, listedValues } from "../browser/address/listed-values.js";
import { enNumber } from "../text/en/kinds.js";
import { figures, readerNumbers } from "../text/figures.js";
import { writePlain } from "../text/file-numbers.js";
import { listed } from "../text/format.js";
import { inputOf, isOfList, PlainWords } from "./filter/filter-controls.js";
import { formDefaults, parsedAs, parsing, problem } from "./form-rules.js";
import {
  type CellProps,
  type FilterWordsProps,
  filterDefaults,
  kind,
  kindDefaults,
  type TypedValue,
} from "./kind.js";
import { Blank, isBlank } from "./value/blank.js";
import { cellNumber, comparedNumber, fieldNumber } from "./value/number-value.js";

function Figure({ field, row }: CellProps) {
  const value = row[field.name];
  if (isBlank(value)) return <Blank />;
  const exact = readerNumbers.write(Number(value), field.decimals);
  const shown = field.decimals === undefined ? figures(Number(value)) : exact;
  return shown === exact ? exact : <span title={exact}>{shown}</span>;
}

function Words({ operator, value }: FilterWordsProps) {
  const numbers = valuesOf(value, operator).map((one) => readerNumbers.write(Number(one)));
  return <PlainWords value={listed(numbers, "or")} />;
}

function valuesOf(value: string, operator: Operator): readonly string[] {
  return isOfList(operator) ? (listedValues(value) ?? []) : [value];
}

function write(_: Field, value: string, operator: Operator): string {
  const numbers = valuesOf(value, operator);
  return numbers.map((one) => readerNumbers.write(Number(one))).join("; ");
}

function read(_: Field, typed: string, operator: Operator): TypedValue {
  const isList = isOfList(operator);
  // A comma before a space is not part of a number.
  const texts = isList ? typed.split(/;|,\s+/).filter((text) => text.trim() !== "") : [typed];
  const values: string[] = [];
  for (const text of texts) {
    const one = comparedNumber(text, readerNumbers);
    if (one.kind === "problem") return isList ? inList(one.message) : one;
    values.push(String(one.value));
  }
  return { kind: "value", value: joinValues(values) };
}

function inList(message: string): TypedValue {
  return { kind: "problem", message: enNumber.inList(message) };
}

const parse = parsing((field, typed) => {
  const read = fieldNumber(field, typed, readerNumbers);
  return read.kind === "value" ? parsedAs(read.value) : problem(read.message, null);
});

export const number = kind({
  ...kindDefaults,
  cell: Figure,
  print: ({ decimals }, value) => (isBlank(value) ? "" : writePlain(Number(value), decimals)),
  filter: {
    ...filterDefaults,
    operators: ["eq", "ne", "gte", "lte", "gt", "lt"],
    comparisons: "order",
    accepts: (_, value) =>
      /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value) && Number.isFinite(Number(value)),
    words: Words,
    choice: inputOf({ type: "text", inputMode: "decimal" }),
    typing: { write, read },
  },
  isAtEnd: true,
  isNumeric: true,
  grouping: "numbers",
  form: {
    ...formDefaults,
    input: "number",
    typed: (value, { decimals }) =>
      isBlank(value) ? "" : readerNumbers.write(Number(value), decimals),
    parse: (field, typed) => parse(field, typed.trim()),
    compare: (_, one, other) => {
      if (one.trim() === other.trim()) return true;
      const [first, second] = [one, other].map((text) => comparedNumber(text, readerNumbers));
      return first?.kind === "value" && second?.kind === "value" && first.value === second.value;
    },
    width: () => "third",
  },
  readCell: (field, written, { numbers }) => cellNumber(field, written, numbers),
});
