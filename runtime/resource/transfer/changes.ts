import { isTooWide, type Queryable, tableRefusal } from "../../db/index.js";
import type { Actor } from "../../own-code/index.js";
import { isValid } from "../table/body.js";
import { kindOf } from "../table/kinds/kinds.js";
import { type Column, columnOf, type Table } from "../table/table.js";
import { rulesOf } from "../table/uniques.js";
import { type Joint, type JointRow, sentBy } from "../write/join/joint.js";
import { updateSeveral } from "../write/join/update.js";
import type { Change } from "../write/operation.js";
import { needsTransaction } from "../write/prepare.js";
import { hasKeys, type StoredRow } from "./compare.js";

/** Whether `joinableChange` must know if the field's value changes. */
export function isTelling({ uniques = [] }: Table<never>, key: string, column: Column): boolean {
  return (
    column.unique !== undefined ||
    kindOf(column).isFile ||
    uniques.some(({ matches }) => Object.hasOwn(matches, key))
  );
}

/**
 * The change, if it can be stored together with those of other records in any order. Null if the order matters, or if
 * it writes more than the record's own row, like a different file or a new unique value.
 */
export function joinableChange(actor: Actor, change: Change, stored: StoredRow): Change | null {
  const { table, checked } = change;
  if (!isValid(checked) || needsTransaction(actor, change)) return null;
  const values: Record<string, unknown> = { ...checked.values };
  const isOther = (key: string) => !stored.same.has(key);
  for (const key of Object.keys(values)) {
    const column = columnOf(table, key);
    if (column === null) return null;
    if (column.unique !== undefined && isOther(key)) return null;
    if (!kindOf(column).isFile) continue;
    if (!hasKeys(values[key], stored.files[key] ?? [])) return null;
    delete values[key];
  }
  const keys = Object.keys(values);
  const isOfRule = rulesOf(table, keys).some(({ matches }) =>
    Object.keys(matches).some((key) => Object.hasOwn(values, key) && isOther(key)),
  );
  if (keys.length === 0 || isOfRule) return null;
  // A unique value that the record already has needs no search for conflicts.
  const others = Object.fromEntries(Object.entries(values).filter(([key]) => isOther(key)));
  const written = Object.keys(others).length === 0 ? values : others;
  return { ...change, checked: { ...checked, values: written } };
}

/**
 * Stores changes of different records within the actor's transaction, with one statement for changes of the same
 * fields. Returns the stored changes. The others were refused, or their record is locked or missing.
 */
export async function changeRows(
  actor: Actor,
  table: Table<never>,
  changes: readonly Change[],
): Promise<ReadonlySet<Change>> {
  const stored = new Set<Change>();
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const name = JSON.stringify(Object.keys(change.checked.values));
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [change]);
    else group.push(change);
  }

  async function isStored(joint: Joint, some: readonly Change[]): Promise<boolean> {
    const sent = some.map((change) => sentBy(actor, change));
    try {
      await actor.services.db.transaction(async ({ query }) => {
        const outcomes = joint.outcomes(
          sent,
          await query<JointRow>(joint.text, joint.parameters(sent)),
        );
        for (const [at, change] of some.entries()) {
          if (typeof outcomes[at] === "object") stored.add(change);
        }
      });
      return true;
    } catch (error) {
      if (isTooWide(error) || tableRefusal(error) !== null) return false;
      throw error;
    }
  }

  /**
   * If a change is refused, stores the two halves separately, so that few of the other changes need their own
   * statement.
   */
  async function store(joint: Joint, some: readonly Change[]): Promise<void> {
    if ((await isStored(joint, some)) || some.length === 1) return;
    const half = some.length >> 1;
    await store(joint, some.slice(0, half));
    await store(joint, some.slice(half));
  }

  for (const group of groups.values()) {
    const keys = Object.keys(group[0]?.checked.values ?? {});
    await store(updateSeveral(table, keys, { record: "''" }), group);
  }
  return stored;
}

/** Whether a table has unique indexes or exclusion constraints that no descriptor defines. */
export async function hasAppUniques(
  { query }: Queryable,
  { name, columns, uniques = [] }: Table<never>,
): Promise<boolean> {
  const [found] = await query<{ indexes: number }>(
    `select count(*)::int as indexes
    from pg_index
    where indrelid = $1::text::regclass and (indisunique or indisexclusion)`,
    [name],
  );
  // Unique computed fields count as defined by the app, because their values are not checked before the write.
  const single = Object.values<Column>(columns).filter(
    ({ unique, computed }) => unique !== undefined && computed === undefined,
  );
  // One of the indexes is the primary key's.
  return (found?.indexes ?? 0) > 1 + single.length + uniques.length;
}
