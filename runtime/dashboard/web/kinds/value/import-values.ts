import {
  decimalProblem,
  formatProblem,
  integerProblem,
  lengthProblem,
  rangeProblem,
} from "../../../../values/rules.js";
import { readDate, readTimestamp } from "../../../../values/time.js";
import { isUuid } from "../../../../values/uuid.js";
import type { Field, KindName } from "../../api/client/types.js";
import { enImport } from "../../text/en-import.js";

/** The value of a file's cell as the API takes it, or what is wrong with it in the API's own words. */
export type Cell =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "problem"; readonly message: string };

export interface CellStyle {
  /** Accepts `12,50` as a number where commas do not separate the cells. */
  readonly hasDecimalCommas: boolean;
}

type Read = (field: Field, text: string, style: CellStyle) => Cell;

const text = enImport.cells;

/** Parses a whole cell as it stands in the file; it is not empty. */
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
  number: (field, written, { hasDecimalCommas }) => {
    const plain = written.trim();
    const usual = hasDecimalCommas ? plain.replace(/^([^,.]*),([^,.]*)$/, "$1.$2") : plain;
    if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(usual)) return cell(null, text.number);
    const value = Number(usual);
    const rules = bounds(field);
    if (field.integer === true) return cell(value, integerProblem(value, rules));
    if (!Number.isFinite(value)) return cell(null, text.number);
    return cell(
      value,
      field.decimals === undefined
        ? rangeProblem(value, rules)
        : decimalProblem(value, { ...rules, decimals: field.decimals }),
    );
  },
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

export function readCell(field: Field, written: string, style: CellStyle): Cell {
  return (readers[field.type] ?? readers.string)(field, written, style);
}

function cell(value: unknown, problem: string | null): Cell {
  return problem === null ? { kind: "value", value } : { kind: "problem", message: problem };
}

function lengthsOf({ minLength, maxLength }: Field, usual: number) {
  return { maxLength: maxLength ?? usual, ...(minLength === undefined ? {} : { minLength }) };
}

function bounds({ min, max }: Field) {
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}
