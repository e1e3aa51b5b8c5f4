import type { Parameters } from "./parameters.js";
import { type Column, columnOf, type Table } from "./table.js";

/** SQL after `order by`, in both directions. */
export interface Order {
  readonly forward: string;
  readonly backward: string;
  /** Whether it sorts by the time of creation, in either direction. */
  readonly isCreation: boolean;
}

/** Reads `sort`; newest first when it was not sent. */
export function readOrder<Values>(table: Table<Values>, parameters: Parameters): Order {
  const sort = parameters.take("sort") ?? "-createdAt";
  const descending = sort.startsWith("-");
  const column = columnOf(table, descending ? sort.slice(1) : sort);
  if (column === null || column.kind === "text") {
    parameters.reject(
      "sort",
      column === null ? "Must name a field to sort by" : "Text fields cannot be sorted",
    );
    return { forward: "id", backward: "id desc", isCreation: false };
  }
  const [down, up] = descending ? (["desc", "asc"] as const) : (["asc", "desc"] as const);
  return {
    forward: orderBy(column, down, "last"),
    backward: orderBy(column, up, "first"),
    isCreation: column === table.columns.createdAt,
  };
}

/** Empty values come last in both directions; ties are broken by id, in the direction of the sort. */
function orderBy(column: Column, direction: "asc" | "desc", empty: "first" | "last"): string {
  if (column.kind === "id") return `id ${direction}`;
  const nulls = column.required ? "" : ` nulls ${empty}`;
  return `${sortKey(column)} ${direction}${nulls}, id ${direction}`;
}

/** Enums sort in their declared order, everything else as PostgreSQL sorts it. */
function sortKey(column: Column): string {
  if (column.kind !== "enum") return column.name;
  const values = column.values.map((value) => `'${value.replaceAll("'", "''")}'`).join(", ");
  return `array_position(array[${values}], ${column.name})`;
}
