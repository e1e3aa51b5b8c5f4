import type { Column } from "../table.js";

/** What a record has to fulfil: checked against the table, and values that PostgreSQL can read. */
export type Predicate =
  /** Fulfils every part; without parts every record does. */
  | { readonly kind: "all"; readonly parts: readonly Predicate[] }
  /** Fulfils one of the parts; without parts no record does. */
  | { readonly kind: "any"; readonly parts: readonly Predicate[] }
  /** Exactly the records that do not fulfil the part, those with empty fields included. */
  | { readonly kind: "not"; readonly part: Predicate }
  | { readonly kind: "empty"; readonly column: Column }
  | { readonly kind: "equal"; readonly column: Column; readonly value: string }
  | { readonly kind: "oneOf"; readonly column: Column; readonly values: readonly string[] }
  | {
      readonly kind: "compared";
      readonly column: Column;
      readonly operator: "<" | "<=" | ">" | ">=";
      readonly value: string;
    }
  /** Without case; `pattern` is one of `like`. */
  | { readonly kind: "like"; readonly column: Column; readonly pattern: string };

/** No record fulfils it. */
export const nothing: Predicate = { kind: "any", parts: [] };

/** A text that a `like` finds as it is. */
export function literalPattern(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/**
 * SQL for a predicate over one row; its values are appended to `values`. It may be null for a row that
 * does not fulfil it, which `where` takes for false.
 */
export function predicateSql(predicate: Predicate, values: unknown[]): string {
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  switch (predicate.kind) {
    case "all":
      return joined(predicate.parts, "and", "true", values);
    case "any":
      return joined(predicate.parts, "or", "false", values);
    case "not":
      return `(${predicateSql(predicate.part, values)}) is not true`;
    case "empty":
      return `${predicate.column.name} is null`;
    case "equal": {
      const { column, value } = predicate;
      // A text too long for an index is found by its digest.
      const match = column.unique?.match ?? `${column.name} = $1`;
      return `(${match.replaceAll("$1", parameter(value))})`;
    }
    case "oneOf": {
      const { column, values: listed } = predicate;
      return `${column.name} = any (${parameter(listed)})`;
    }
    case "compared": {
      const { column, operator, value } = predicate;
      return `${column.name} ${operator} ${parameter(value)}`;
    }
    case "like": {
      const { column, pattern } = predicate;
      return `service.fold_case(${column.name}) like service.fold_case(${parameter(pattern)})`;
    }
    default:
      return predicate satisfies never;
  }
}

function joined(
  parts: readonly Predicate[],
  word: "and" | "or",
  none: string,
  values: unknown[],
): string {
  if (parts.length === 0) return none;
  return `(${parts.map((part) => predicateSql(part, values)).join(` ${word} `)})`;
}
