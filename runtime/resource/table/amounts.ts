import type { AnyShape } from "./definition.js";
import { kindOf } from "./kinds/kinds.js";
import { columnOf, type Table } from "./table.js";

/** The amounts to add to stored numbers, by key. */
export type Amounts = Readonly<Record<string, number>>;

/** The amounts in the body of a PATCH: `{ "stock": { "add": -1 } }`; null if there are none. */
export function amountsIn(
  table: Pick<Table<never>, "columns">,
  shape: AnyShape,
  body: Readonly<Record<string, unknown>>,
): Amounts | null {
  const keys = Object.keys(body).filter(
    (key) => amountOf(body[key]) !== null && Object.hasOwn(shape, key) && isAddable(table, key),
  );
  if (keys.length === 0) return null;
  return Object.fromEntries(keys.map((key) => [key, amountOf(body[key]) ?? 0]));
}

function isAddable(table: Pick<Table<never>, "columns">, key: string): boolean {
  const column = columnOf(table, key);
  return column !== null && kindOf(column).addition !== null;
}

/** Whether a body adds to a number; false if it is not an object. */
export function hasAmount(body: unknown): boolean {
  return (
    typeof body === "object" &&
    body !== null &&
    Object.values(body).some((value) => amountOf(value) !== null)
  );
}

/** Null if the value is not a finite amount. */
export function amountOf(value: unknown): number | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { add, ...others } = value as { readonly add?: unknown };
  const isAmount = typeof add === "number" && Number.isFinite(add);
  return isAmount && Object.keys(others).length === 0 ? add : null;
}
