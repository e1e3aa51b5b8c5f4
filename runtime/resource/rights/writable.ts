import type { Caller } from "../../own-code/index.js";
import type { Target } from "../table/conflicts.js";
import type { Action, Table } from "../table/table.js";
import { byRole } from "./by-role.js";
import { Latest } from "./latest.js";
import { onceFor } from "./once-for.js";
import { ownershipBy } from "./owners.js";
import { withFields } from "./readable.js";
import { isWrittenAlike } from "./rules.js";
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
  const own = action === "create" ? null : ownershipBy(table, table.access[action], role);
  const targets = Object.keys(table.columns).flatMap((key) => {
    const target = targetOf(table, key, action, role);
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

/** What the link of this key may lead to, or whose account the field may name; null where any existing one will do. */
function targetOf(
  table: Table<never>,
  key: string,
  action: Action,
  role: string | null,
): Target | null {
  const { owner, access, links = {} } = table;
  // The id of a group is what its members own, and never written.
  const isOwner = owner?.field === key && key !== "id";
  const own = isOwner ? ownershipBy(table, access[action], role) : null;
  const target = Object.values(links)
    .find(({ field }) => field === key)
    ?.table?.();
  const seen = target === undefined ? null : ownershipBy(target, target.access.get, role);
  const conditions: Target[] = [];
  if (own !== null) {
    conditions.push((value, account) => own.link(`${value}::${own.linkType}`, account));
  }
  if (target !== undefined && seen !== null) {
    conditions.push(
      (value, account) =>
        `(${value}::uuid is null or exists (select from ${target.name} as _linked where _linked.id = ${value} and ${seen.row("_linked", account)}))`,
    );
  }
  if (conditions.length === 0) return null;
  return (value, account) =>
    `(${conditions.map((condition) => condition(value, account)).join(" and ")})`;
}
