import type { Queryable } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import { exactDigits } from "../../values/decimal.js";
import type { Amounts } from "../table/amounts.js";
import { idEquals } from "../table/column-keys.js";
import { kindOf } from "../table/kinds/kinds.js";
import { columnOf } from "../table/table.js";
import type { Change, Write } from "./operation.js";

/** Whether the write adds to stored numbers, which needs a transaction. */
export function isAddition(write: Write): boolean {
  return write.kind === "update" && write.checked.additions !== undefined;
}

/**
 * Additions to the same record wait for each other. With hundreds of them, requests wait for a connection as long as
 * writes with app code may.
 */
export const additionWait = { waitMs: 30_000 } as const;

/**
 * The change with sums in place of the amounts to add. The record stays locked until they are stored, so each sum is
 * based on the latest value. Sums are validated like values of the body, and reported with their issues.
 */
export async function withSums(db: Queryable, write: Change): Promise<Change> {
  const { additions, ...checked } = write.checked;
  if (additions === undefined) return write;
  const stored = await storedSums(db, write, additions.amounts);
  const sums = stored.flatMap(({ key, sum }) => (sum === null ? [] : [[key, sum.value] as const]));
  const { values, malformed } = additions.check(Object.fromEntries(sums));
  const issues = stored.flatMap(({ key, sum }) => {
    if (sum === null) return [{ path: key, message: "Is empty" }];
    return sum.isExact || !Object.hasOwn(values, key) ? [] : [{ path: key, message: tooLong }];
  });
  return {
    ...write,
    checked: {
      ...checked,
      amounts: additions.amounts,
      listed: Object.fromEntries(
        stored.flatMap(({ key, listed }) => (listed ? [[key, listed]] : [])),
      ),
      values: { ...checked.values, ...values },
      malformed: [...checked.malformed, ...malformed, ...issues],
    },
  };
}

const tooLong = `At most ${exactDigits} significant digits`;

interface StoredSum {
  readonly key: string;
  /** Null if the stored field is null. */
  readonly sum: { readonly value: unknown; readonly isExact: boolean } | null;
  /** The list before the change, if its links are in a join table of another program. */
  readonly listed?: readonly string[];
}

/** Locks the record, and adds the amounts to its current values. */
async function storedSums(
  db: Queryable,
  { table, id }: Change,
  amounts: Amounts,
): Promise<readonly StoredSum[]> {
  const parameters: unknown[] = [id];
  const parts = Object.entries(amounts).flatMap(([key, amount]) => {
    const column = columnOf(table, key);
    const addition = column && kindOf(column).addition;
    if (!column || !addition) return [];
    const sql = addition.sum(column.name, () => `$${parameters.push(amount)}`);
    const result = (text: string) => addition.result(text, amount);
    return [{ key, sql, isJoined: column.through === true, result }];
  });
  // A single statement that waited for the row's lock would read the other tables as they were before the wait.
  if (parts.some(({ isJoined }) => isJoined)) {
    await db.query(`select from ${table.name} where ${idEquals(table, "$1")} for no key update`, [
      id,
    ]);
  }
  const selected = parts.map(({ sql }, at) => `${sql} as _${at}`).join(", ");
  const [row] = await db.query<Record<string, string | null>>(
    `select ${selected} from ${table.name} where ${idEquals(table, "$1")} for no key update`,
    parameters,
  );
  if (row === undefined) return refuse("NOT_FOUND");
  return parts.map(({ key, isJoined, result }, at) => {
    const text = row[`_${at}`] ?? null;
    if (text === null) return { key, sum: null };
    return { key, sum: result(text), ...(isJoined && { listed: JSON.parse(text) }) };
  });
}
