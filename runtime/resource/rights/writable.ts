import { isAllowed } from "../../http/index.js";
import { type Caller, isVisitorRole, visitor } from "../../own-code/index.js";
import { hasConditions, isPublicRule } from "../../values/access-rule.js";
import type { Target } from "../table/conflicts.js";
import type { Action, Table } from "../table/table.js";
import { byRole } from "./by-role.js";
import { changeJudge, createJudge, type Judge, someRows } from "./grants/grants.js";
import { targetOf } from "./grants/targets.js";
import { Latest } from "./latest.js";
import { onceFor } from "./once-for.js";
import { readable, withFields } from "./readable.js";
import { isWrittenAlike } from "./rules.js";
import { type SeenRecord, wholeView } from "./view.js";

/**
 * A table as all callers of a role may write it by one action. Answers lack the fields that they may not read,
 * though statements store the values of all; records that the rule does not give the role are not found; some links
 * cannot lead to every record.
 */
export interface WriteView extends SeenRecord {
  /** By the link's key: what its target has to be, if not every existing record will do. */
  readonly targets: ReadonlyMap<string, Target>;
  /** Left out if nothing of the record as it is written decides. */
  readonly judge?: Judge;
  /** The records that the caller may get and not write, which are refused as such; left out if they are not found. */
  readonly got?: SeenRecord;
}

const writable = byRole((table, action, role): WriteView => {
  const rule = table.access[action];
  const { record: shown } = withFields(table, role);
  const record = isVisitorRole(role) ? shownToVisitor(table, shown) : shown;
  const own = action === "create" ? null : someRows(table, rule, role);
  const judge = judgeOf(table, action, role);
  const targets = Object.keys(table.columns).flatMap((key) => {
    const target = targetOf(table, key, { action, role });
    return target === null ? [] : [[key, target] as const];
  });
  const isGot = action !== "create" && hasConditions(rule) && isAllowed({ role }, table.access.get);
  return {
    table,
    record,
    targets: new Map(targets),
    ...(own !== null && { own }),
    ...(judge !== null && { judge }),
    ...(isGot && { got: readable(table, "get", role) }),
  };
});

/** The answer to a create without a token if such a caller may not get the record; it is the same in SQL. */
export function idAlone(id: string): string {
  return `{"id":"${id}"}`;
}

/** SQL of the record if callers without a token may get it, else of its id alone. */
function shownToVisitor(table: Table<never>, record: string): string {
  const { name, access } = table;
  const alone = `'{"id":"' || ${name}.id || '"}'`;
  if (!isPublicRule(access.get)) return alone;
  const seen = someRows(table, access.get, visitor.role);
  if (seen === null) return record;
  // Conditions for such callers ask for no account.
  const row = seen.row(name, () => "null");
  return `case when ${row} then ${record} else ${alone} end`;
}

function judgeOf(table: Table<never>, action: Action, role: string | null): Judge | null {
  switch (action) {
    case "create":
      return createJudge(table, table.access.create, role);
    case "update":
      return changeJudge(table, table.access.update, role);
    default:
      return null;
  }
}

/** The table as the app itself writes it, and every caller if no rule of the table tells them apart. */
export const wholeWriteView = onceFor(
  (table: Table<never>): WriteView => ({
    table,
    record: wholeView(table).record,
    targets: new Map(),
  }),
);

/** The table as a caller may write it; without one the app itself writes, which may write everything. */
export function writableBy(caller: Caller | null, table: Table<never>, action: Action): WriteView {
  if (caller === null || (caller !== visitor && isWrittenAlike(table))) {
    return wholeWriteView(table);
  }
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
