import type { JsonObject } from "../../http/index.js";
import type { ResourcesByName } from "../table/by-name.js";
import { kindOf } from "../table/kinds/kinds.js";
import { columnOf, type Table } from "../table/table.js";
import { faultsIn, markedValues } from "../write/json-text.js";
import { type Batch, isObject, type Operation, refuseForm } from "./form.js";

/** The table whose columns determine where references are allowed. */
type Target = Pick<Table<never>, "columns">;

/**
 * Refuses with 400 unless each `{ "ref": n }` in the operation's values replaces a link's id, and refers to an earlier
 * operation that creates a record.
 */
export function checkReferences(
  operations: readonly Operation[],
  index: number,
  table: Target,
): void {
  const operation = operations[index];
  if (operation === undefined) return;
  if (!("values" in operation)) return;
  for (const [key, value] of Object.entries(operation.values)) {
    if (isReference(value) && !takesReference(table, key)) {
      refuseForm(`"${key}" is not a link, so it cannot have "ref"`, index);
    }
    for (const { ref } of referencesOf(table, key, value)) {
      const isEarlier = typeof ref === "number" && Number.isInteger(ref) && ref >= 0 && ref < index;
      const kind = isEarlier ? operations[ref]?.kind : undefined;
      if (kind !== "create" && kind !== "upsert") {
        refuseForm('"ref" must be the number of an earlier create or upsert', index);
      }
    }
  }
}

/** Marks JSON values in the batch whose text has mistakes that are not visible in the parsed value. */
export function withMarkedValues(
  { operations, ...others }: Batch,
  byName: ResourcesByName,
  bytes: Uint8Array,
): Batch {
  const faults = faultsIn(bytes);
  const marked = operations.map((operation, index): Operation => {
    const table = byName.get(operation.resource)?.table;
    if (table === undefined || !("values" in operation)) return operation;
    const path = ["operations", index, "values"];
    return { ...operation, values: markedValues(table, operation.values, { faults, path }) };
  });
  return { ...others, operations: marked };
}

/** The indexes of the operations whose records these values reference. */
export function referencesIn(table: Target, values: JsonObject): number[] {
  return Object.entries(values).flatMap(([key, value]) =>
    referencesOf(table, key, value).map(({ ref }) => Number(ref)),
  );
}

/** Replaces references in the values with the ids of the created records. */
export function resolved(table: Target, values: JsonObject, ids: readonly string[]): JsonObject {
  const entries = Object.entries(values);
  const refers = ([key, value]: [string, unknown]) => referencesOf(table, key, value).length > 0;
  if (!entries.some(refers)) return values;
  return Object.fromEntries(
    entries.map(([key, value]) => [key, refers([key, value]) ? withIds(value, ids) : value]),
  );
}

interface Reference {
  readonly ref: unknown;
}

/** Returns the references in the value of a link, in a list of links, or in the additions to one. */
function referencesOf(table: Target, key: string, value: unknown): readonly Reference[] {
  if (isReference(value)) return [value];
  if (typeof value !== "object" || value === null || !isList(table, key)) return [];
  const added = Array.isArray(value) ? value : (value as { readonly add?: unknown }).add;
  return Array.isArray(added) ? added.filter(isReference) : [];
}

/** Replaces references in a value with ids. */
function withIds(value: unknown, ids: readonly string[]): unknown {
  if (isReference(value)) return ids[Number(value.ref)];
  if (Array.isArray(value)) return value.map((one) => withIds(one, ids));
  return isObject(value) && Array.isArray(value.add)
    ? { ...value, add: withIds(value.add, ids) }
    : value;
}

function takesReference(table: Target, key: string): boolean {
  const column = columnOf(table, key);
  return column !== null && kindOf(column).takesReference && !kindOf(column).isList;
}

function isList(table: Target, key: string): boolean {
  const column = columnOf(table, key);
  return column !== null && kindOf(column).takesReference && kindOf(column).isList;
}

function isReference(value: unknown): value is Reference {
  return isObject(value) && Object.hasOwn(value, "ref") && Object.keys(value).length === 1;
}
