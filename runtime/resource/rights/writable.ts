import type { Caller } from "../../own-code/index.js";
import type { Target } from "../table/conflicts.js";
import type { Action, Column, Table } from "../table/table.js";
import { byRole } from "./by-role.js";
import { Latest } from "./latest.js";
import { onceFor } from "./once-for.js";
import { ownRowsOf, withFields } from "./readable.js";
import { isForOwnOnly, isWrittenAlike } from "./rules.js";
import { type SeenRecord, wholeView } from "./view.js";

/**
 * A table as all callers of a role may write it by one action. Answers lack the fields that they may not read,
 * though statements store the values of all; other people's records are not found where the rule admits the role
 * as the owner only; some links cannot lead to every record.
 */
export interface WriteView extends SeenRecord {
  /** By the link's key: what its target has to be, where not every existing record will do. */
  readonly targets: ReadonlyMap<string, Target>;
}

const writable = byRole((table, action, role): WriteView => {
  const { record } = withFields(table, role);
  const own = action === "create" ? null : ownRowsOf(table, table.access[action], role);
  const targets = Object.entries<Column>(table.columns).flatMap(([key, { link }]) => {
    const target = link === undefined ? null : targetOf(table, key, action, role);
    return target === null ? [] : [[key, target] as const];
  });
  return { table, record, targets: new Map(targets), ...(own !== null && { own }) };
});

/** The table as the app itself writes it, and every caller where no rule of the table tells them apart. */
export const wholeWriteView = onceFor(
  (table: Table<never>): WriteView => ({
    table,
    record: wholeView(table).record,
    targets: new Map(),
  }),
);

/** The table as a caller may write it; without one the app itself writes, which may write everything. */
export function writableBy(caller: Caller | null, table: Table<never>, action: Action): WriteView {
  if (caller === null || isWrittenAlike(table)) return wholeWriteView(table);
  return writable(table, action, caller.role);
}

/** The view for values that a hook has set in part: its links may lead to records that the caller could not name. */
export function linkedByHook(
  view: WriteView,
  given: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, unknown>>,
): WriteView {
  const named = [...view.targets].filter(([key]) => values[key] === given[key]);
  if (named.length === view.targets.size) return view;
  const key = named.map(([one]) => one).join();
  return withTargets(view).get(key, () => ({ ...view, targets: new Map(named) }));
}

/** The most sets of links of one view that are kept: hooks set the same links again and again. */
const maxSets = 100;

const withTargets = onceFor((_: WriteView) => new Latest<WriteView>(maxSets));

/** What the link of this key may lead to; null where any existing record will do. */
function targetOf(
  { owner, access, links = {} }: Table<never>,
  key: string,
  action: Action,
  role: string | null,
): Target | null {
  if (owner?.field === key && isForOwnOnly(access[action], role)) {
    const { leadsTo } = owner;
    if (leadsTo !== undefined) return (value, account) => leadsTo(value, account());
    return (value, account) => `${value}::uuid = ${account()}::uuid`;
  }
  const target = Object.values(links)
    .find(({ field }) => field === key)
    ?.table?.();
  const own = target === undefined ? null : ownRowsOf(target, target.access.get, role);
  if (target === undefined || own === null) return null;
  return (value, account) =>
    `exists (select from ${target.name} as _linked where _linked.id = ${value} and ${own("_linked", account)})`;
}
