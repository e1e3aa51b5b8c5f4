import { formatProblem, lengthProblem } from "../../../../values/rules.js";
import { readDate, readTimestamp } from "../../../../values/time.js";
import { isUuid } from "../../../../values/uuid.js";
import type { Field, KindName } from "../../api/client/types.js";
import { enImport } from "../../text/en/import.js";
import type { NumberText } from "../../text/number-text.js";
import { fieldNumber } from "../number-value.js";

/** The value of a file's cell as the API takes it, or what is wrong with it in the API's own words. */
export type Cell =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "problem"; readonly message: string };

type Read = (field: Field, text: string, numbers: NumberText) => Cell;

const text = enImport.cells;

/** Parses a whole cell as it is written in the file; it is not empty. */
const readers: Readonly<Record<KindName, Read>> = Object.freeze({
  string: (field, value) => {
    const { format } = field;
    const isKnown = format === "email" || format === "url";
    return cell(
      value,
      lengthProblem(value, lengthsOf(field, 255)) ??
        (isKnown ? formatProblem(value, format) : null),
    );
  },
  text: (field, value) => cell(value, lengthProblem(value, lengthsOf(field, 100_000))),
  number: fieldNumber,
  boolean: (_, written) => {
    const word = written.trim().toLowerCase();
    if (["true", "yes", "1"].includes(word)) return cell(true, null);
    return ["false", "no", "0"].includes(word) ? cell(false, null) : cell(null, text.boolean);
  },
  enum: ({ values = [] }, value) =>
    cell(value, values.includes(value) ? null : text.oneOf(values.join(", "))),
  date: (_, written) => {
    const value = written.trim();
    return cell(value, readDate(value) === null ? text.date : null);
  },
  timestamp: (_, written) => {
    // People and databases write a space instead of the T.
    const value = written.trim().replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, "$1T");
    return cell(value, readTimestamp(value) === null ? text.timestamp : null);
  },
  belongsTo: (_, written) => {
    const value = written.trim();
    return cell(value, isUuid(value) ? null : text.id);
  },
  image: (_, value) => cell(value.trim(), null),
  file: (_, value) => cell(value.trim(), null),
});

/** `numbers` is how the cell's column writes them. */
export function readCell(field: Field, written: string, numbers: NumberText): Cell {
  return (readers[field.type] ?? readers.string)(field, written, numbers);
}

function cell(value: unknown, problem: string | null): Cell {
  return problem === null ? { kind: "value", value } : { kind: "problem", message: problem };
}

function lengthsOf({ minLength, maxLength }: Field, usual: number) {
  return { maxLength: maxLength ?? usual, ...(minLength === undefined ? {} : { minLength }) };
}
