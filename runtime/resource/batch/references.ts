import type { JsonObject } from "../../http/index.js";
import type { ResourcesByName } from "../table/by-name.js";
import { kindOf } from "../table/kinds/kinds.js";
import { columnOf, type Table } from "../table/table.js";
import { faultsIn, markedValues } from "../write/json-text.js";
import { type Batch, isObject, type Operation, refuseForm } from "./form.js";

/**
 * Refuses with 400 unless each `{ "ref": n }` in the operation's values replaces a link's id, and names an earlier
 * operation that creates a record.
 */
export function checkReferences(
  operations: readonly Operation[],
  index: number,
  table: Table<never>,
): void {
  const operation = operations[index];
  if (operation === undefined) return;
  if (!("values" in operation)) return;
  for (const [key, value] of Object.entries(operation.values)) {
    if (!isReference(value)) continue;
    const column = columnOf(table, key);
    if (column === null || !kindOf(column).takesReference) {
      refuseForm(`"${key}" is not a link: it takes no "ref"`, index);
    }
    const { ref } = value;
    const isEarlier = typeof ref === "number" && Number.isInteger(ref) && ref >= 0 && ref < index;
    const kind = isEarlier ? operations[ref]?.kind : undefined;
    if (kind !== "create" && kind !== "upsert") {
      refuseForm('"ref" must be the number of an earlier create or upsert', index);
    }
  }
}

/** The batch with marks for JSON values whose text has mistakes that a parsed value does not show. */
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

/** The indexes of the operations whose records these values refer to. */
export function referencesIn(values: JsonObject): number[] {
  return Object.values(values).flatMap((value) => (isReference(value) ? [Number(value.ref)] : []));
}

/** The values with references replaced by the ids of these records. */
export function resolved(values: JsonObject, ids: readonly string[]): JsonObject {
  const entries = Object.entries(values);
  if (!entries.some(([, value]) => isReference(value))) return values;
  return Object.fromEntries(
    entries.map(([key, value]) => [key, isReference(value) ? ids[Number(value.ref)] : value]),
  );
}

function isReference(value: unknown): value is { readonly ref: unknown } {
  return isObject(value) && Object.hasOwn(value, "ref") && Object.keys(value).length === 1;
}
