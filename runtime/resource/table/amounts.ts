import type { BodyIssue } from "../../errors/index.js";
import type { AnyShape } from "./definition.js";
import { kindOf } from "./kinds/kinds.js";
import { amountOf } from "./kinds/value/addition.js";
import { columnOf, type Table } from "./table.js";

/** Changes of stored values by key: amounts to add to numbers, elements to add to lists or to remove from them. */
export type Amounts = Readonly<Record<string, unknown>>;

/** The amounts in a body, and the mistakes in them. */
interface ReadAmounts {
  readonly keys: ReadonlySet<string>;
  readonly amounts: Amounts;
  readonly malformed: readonly BodyIssue[];
}

/** Reads the amounts in the body of a PATCH: `{ "stock": { "add": -1 } }`; null if there are none. */
export function readAmounts(
  table: Pick<Table<never>, "columns">,
  shape: AnyShape,
  body: Readonly<Record<string, unknown>>,
): ReadAmounts | null {
  const keys = new Set<string>();
  const amounts: Record<string, unknown> = {};
  const malformed: BodyIssue[] = [];
  for (const [key, sent] of Object.entries(body)) {
    if (typeof sent !== "object" || sent === null || !Object.hasOwn(shape, key)) continue;
    const column = columnOf(table, key);
    const read = column && kindOf(column).addition?.read(sent, shape[key]);
    if (!read) continue;
    keys.add(key);
    if ("amount" in read) amounts[key] = read.amount;
    else {
      const issues = read.issues.map(({ path, message }) => ({
        path: [key, ...path].join("."),
        message,
      }));
      malformed.push(...issues);
    }
  }
  return keys.size === 0 ? null : { keys, amounts, malformed };
}

/** Whether a body has operations on stored values; false if it is not an object. */
export function hasAmount(body: unknown): boolean {
  return (
    typeof body === "object" &&
    body !== null &&
    Object.values(body).some((value) => amountOf(value) !== null || isListChange(value))
  );
}

function isListChange(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { add, remove } = value as { readonly add?: unknown; readonly remove?: unknown };
  return Array.isArray(add) || Array.isArray(remove);
}
