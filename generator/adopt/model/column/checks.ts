import type { FoundColumn, FoundConstraint, FoundTable } from "../../catalogue/catalogue.js";
import type { FieldOptions, Remark } from "../adoption.js";
import { areValues, decideType, isNumber, isString } from "./types.js";

/** What the check constraints of a table mean for one of its columns, as options of a descriptor. */
export interface ColumnRules {
  readonly values?: readonly string[];
  readonly min?: number;
  readonly max?: number;
}

interface ReadChecks {
  /** By column number. */
  readonly rules: ReadonlyMap<number, ColumnRules>;
  /** Remarks on checks that a descriptor cannot express. */
  readonly remarks: readonly Remark[];
}

/** Parses `x in (…)` and numeric limits; all other checks are left to the database. */
export function readChecks({ constraints, columns }: FoundTable): ReadChecks {
  const rules = new Map<number, ColumnRules>();
  const remarks: Remark[] = [];
  for (const constraint of constraints) {
    if (constraint.kind !== "check") continue;
    const [number, ...others] = constraint.columns;
    const column = columns.find((one) => one.number === number) ?? null;
    const read = column === null || others.length > 0 ? null : rulesOf(constraint, column);
    if (column !== null && read !== null)
      rules.set(column.number, { ...rules.get(column.number), ...read });
    else remarks.push(remarkOn(constraint, others.length > 0 ? null : column));
  }
  return { rules, remarks };
}

function remarkOn({ name, definition }: FoundConstraint, column: FoundColumn | null): Remark {
  const why = `only the database checks ${name}: ${definition}`;
  return { column: column?.name ?? null, kind: "check", taken: false, why, way: null };
}

function rulesOf({ definition }: FoundConstraint, column: FoundColumn): ColumnRules | null {
  const condition = /^CHECK \((.*)\)(?: NOT VALID)?$/s.exec(definition)?.[1];
  if (condition === undefined) return null;
  const decided = decideType(column.type, { texts: "lines", timezone: null });
  if (decided.kind !== "taken") return null;
  const { options } = decided;
  if (isString(options)) return valuesIn(condition, column);
  return isNumber(options) ? boundsIn(condition, column, options) : null;
}

const literal = /'((?:[^']|'')*)'::[a-z]+(?: [a-z]+)*(?:\(\d+\))?/;

/** The values of `((state)::text = ANY ((ARRAY['a'::character varying])::text[]))`, as PostgreSQL prints it. */
function valuesIn(condition: string, { name }: FoundColumn): ColumnRules | null {
  const [, column = "", list = ""] =
    /^\((.+?) = ANY \(\(?ARRAY\[(.*?)\]\)?(?:::[a-z ]+\[\])?\)\)$/s.exec(condition) ?? [];
  if (!isColumn(column, name)) return null;
  const isList = new RegExp(`^${literal.source}(?:, ${literal.source})*$`).test(list);
  if (!isList) return null;
  const found = [...list.matchAll(new RegExp(literal, "g"))];
  const values = found.map(([, text = ""]) => text.replaceAll("''", "'"));
  const distinct = [...new Set(values)];
  return areValues(distinct) ? { values: distinct } : null;
}

const bound = /^\((.+?) (>=|<=|>|<) \(?'?(-?\d+(?:\.\d+)?)'?\)?(?:::[a-z]+(?: [a-z]+)*)?\)$/;

/** Returns the limits of `((x >= 1) AND (x <= 5))`; for integers, also of `x > 0`. */
function boundsIn(
  condition: string,
  { name }: FoundColumn,
  options: FieldOptions,
): ColumnRules | null {
  const isInteger = options.integer === true;
  const parts = condition.includes(" AND ") ? condition.slice(1, -1).split(" AND ") : [condition];
  let rules: ColumnRules = {};
  for (const part of parts) {
    const [, column = "", operator = "", digits = ""] = bound.exec(part) ?? [];
    const number = Number(digits);
    const isStrict = operator.length === 1;
    if (!isColumn(column, name) || (isStrict && !isInteger)) return null;
    if (!Number.isFinite(number) || (isInteger && !Number.isSafeInteger(number))) return null;
    rules = operator.startsWith(">")
      ? { ...rules, min: isStrict ? number + 1 : number }
      : { ...rules, max: isStrict ? number - 1 : number };
  }
  return rules;
}

/** Whether an operand is the column, which PostgreSQL may cast, parenthesize and quote. */
function isColumn(operand: string, name: string): boolean {
  const plain = operand.replace(/::[a-z]+(?: [a-z]+)*$/, "").replace(/^\((.*)\)$/, "$1");
  return plain === name || plain === `"${name.replaceAll('"', '""')}"`;
}
