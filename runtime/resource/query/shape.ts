import type { Rows } from "../rights/view.js";
import type { Column } from "../table/table.js";
import type { Order } from "./order.js";
import type { Predicate } from "./predicate.js";

/** A column that an index could look up by a condition of a query. */
export interface Lookup {
  readonly column: Column;
  readonly by: "value" | "range";
}

/** The lookups of a predicate whose parts are joined by *and*; parts of `or` and `not` are ignored. */
export function lookupsOf(predicate: Predicate): readonly Lookup[] {
  switch (predicate.kind) {
    case "all":
      return predicate.parts.flatMap(lookupsOf);
    case "empty":
    case "equal":
    case "oneOf":
      return [{ column: predicate.column, by: "value" }];
    case "compared":
      return [{ column: predicate.column, by: "range" }];
    default:
      return [];
  }
}

/**
 * An SQL comment that describes the conditions of a statement and the order of a list, without values. The log of
 * slow statements contains it, and `service doctor --slow` derives from it which index would help.
 */
export function shapeComment(table: Rows, lookups: readonly Lookup[], order: Order | null): string {
  const named = (by: Lookup["by"]) => [
    ...new Set(lookups.filter((one) => one.by === by).map(({ column }) => fieldOf(table, column))),
  ];
  const keys = order?.keys ?? [];
  const sort = keys.map(
    ({ name, descending }) => `${descending ? "-" : ""}${name.slice(0, name.indexOf(":"))}`,
  );
  const shape = { resource: table.resource, values: named("value"), ranges: named("range"), sort };
  return `/* service: ${JSON.stringify(shape)} */`;
}

/** The comment of a statement that counts or adds up the records which meet the conditions. */
export function conditionsComment(
  table: Rows,
  conditions: readonly { readonly lookups?: readonly Lookup[] }[],
): string {
  if (conditions.length === 0) return "";
  return shapeComment(
    table,
    conditions.flatMap(({ lookups }) => lookups ?? []),
    null,
  );
}

function fieldOf({ columns }: Rows, column: Column): string {
  const found = Object.entries<Column>(columns).find(([, { name }]) => name === column.name);
  return found?.[0] ?? "";
}
