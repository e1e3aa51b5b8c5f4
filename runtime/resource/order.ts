import type { Parameters } from "./parameters.js";
import { type Column, columnOf, type Table } from "./table.js";

/** SQL after `order by`, in both directions. */
export interface Order {
  readonly forward: string;
  readonly backward: string;
  /** Whether it sorts by the time of creation, in either direction. */
  readonly isCreation: boolean;
  /** How many fields it is by. */
  readonly fields: number;
}

/** Fields of one `sort`. */
const maxSortFields = 3;

/** Reads `sort`, up to three fields; newest first when it was not sent. */
export function readOrder<Values>(table: Table<Values>, parameters: Parameters): Order {
  const names = (parameters.take("sort") ?? "-createdAt").split(",");
  const keys = names.map((name) => readKey(table, name));
  const problem = sortProblem(keys);
  if (problem === null) {
    const sound = keys.flatMap((key) => key ?? []);
    return orderOf(table, sound);
  }
  parameters.reject("sort", problem);
  return { forward: "id", backward: "id desc", isCreation: false, fields: 1 };
}

interface SortKey {
  readonly column: Column;
  readonly descending: boolean;
}

function readKey<Values>(table: Table<Values>, name: string): SortKey | null {
  const descending = name.startsWith("-");
  const column = columnOf(table, descending ? name.slice(1) : name);
  return column === null ? null : { column, descending };
}

function sortProblem(keys: readonly (SortKey | null)[]): string | null {
  const columns = keys.map((key) => key?.column ?? null);
  if (columns.includes(null)) return "Must name a field to sort by";
  if (columns.some((column) => column?.kind === "text")) return "Text fields cannot be sorted";
  if (columns.length > maxSortFields) return `At most ${maxSortFields} fields`;
  return new Set(columns).size < columns.length ? "Names a field twice" : null;
}

function orderOf<Values>(table: Table<Values>, keys: readonly SortKey[]): Order {
  const [first] = keys;
  return {
    forward: orderBy(keys, { flipped: false }),
    backward: orderBy(keys, { flipped: true }),
    isCreation: keys.length === 1 && first?.column === table.columns.createdAt,
    fields: keys.length,
  };
}

/** Empty values come last in both directions; ties are broken by id, in the direction of the last field. */
function orderBy(keys: readonly SortKey[], { flipped }: { flipped: boolean }): string {
  const directionOf = ({ descending }: SortKey) => (descending === flipped ? "asc" : "desc");
  const empty = flipped ? "first" : "last";
  const parts = keys.map((key) => {
    const nulls = key.column.required ? "" : ` nulls ${empty}`;
    return `${sortKey(key.column)} ${directionOf(key)}${nulls}`;
  });
  const last = keys.at(-1);
  const byId = keys.findIndex(({ column }) => column.kind === "id");
  if (last === undefined) return "id";
  // What follows the id orders nothing.
  if (byId >= 0) return parts.slice(0, byId + 1).join(", ");
  return [...parts, `id ${directionOf(last)}`].join(", ");
}

/** Enums sort in their declared order, everything else as PostgreSQL sorts it. */
function sortKey(column: Column): string {
  if (column.kind !== "enum") return column.name;
  const values = column.values.map((value) => `'${value.replaceAll("'", "''")}'`).join(", ");
  return `array_position(array[${values}], ${column.name})`;
}
