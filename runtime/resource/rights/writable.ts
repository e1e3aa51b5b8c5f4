import { isDeepStrictEqual } from "node:util";
import { isAllowed } from "../../http/index.js";
import { type Caller, isVisitorRole, visitor } from "../../own-code/index.js";
import { hasConditions, isPublicRule } from "../../values/access-rule.js";
import { idColumn, idOfTable } from "../table/column-keys.js";
import type { Target } from "../table/conflicts.js";
import { kindOf } from "../table/kinds/kinds.js";
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
 * A table as all callers with a role may write it by one action. Statements store all values, but responses lack fields
 * that the role may not read. Records hidden from the role are not found, and some links may not lead to every record.
 */
export interface WriteView extends SeenRecord {
  /** Conditions on the targets of links, by the link's key; a link without one may refer to any existing record. */
  readonly targets: ReadonlyMap<string, Target>;
  /** Conditions on the written record; omitted if there are none. */
  readonly judge?: Judge;
  /** The records that the caller may get but not write, for which a write is 403; omitted if it is 404. */
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

/**
 * Returns the response to a create without a token, if such a caller may not get the record; `shownToVisitor` has the
 * same in SQL.
 */
export function idAlone(id: string): string {
  return `{"id":${JSON.stringify(id)}}`;
}

/** SQL for the record if callers without a token may get it, otherwise for its id alone. */
function shownToVisitor(table: Table<never>, record: string): string {
  const { name, access } = table;
  const id = `${name}.${idColumn(table)}`;
  const { jsonText, idType } = kindOf(idOfTable(table));
  const alone =
    idType === "uuid" ? `'{"id":"' || ${id} || '"}'` : `'{"id":' || ${jsonText(id)} || '}'`;
  if (!isPublicRule(access.get)) return alone;
  const seen = someRows(table, access.get, visitor.role);
  if (seen === null) return record;
  // Conditions for callers without a token do not depend on an account.
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

/** The table as the app itself writes it; the same for every caller if no rule distinguishes callers. */
export const wholeWriteView = onceFor(
  (table: Table<never>): WriteView => ({
    table,
    record: wholeView(table).record,
    targets: new Map(),
  }),
);

/** The table as a caller may write it; without a caller, the app itself writes, which may write everything. */
export function writableBy(caller: Caller | null, table: Table<never>, action: Action): WriteView {
  if (caller === null || (caller !== visitor && isWrittenAlike(table))) {
    return wholeWriteView(table);
  }
  return writable(table, action, caller.role);
}

/**
 * The view for a write after a hook has set some of its values: links set by the hook may lead to records to which the
 * caller may not link.
 */
export function linkedByHook(
  view: WriteView,
  given: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, unknown>>,
): WriteView {
  // Values are validated again after a hook, so a list may be a new array with the same ids.
  const named = [...view.targets].filter(([key]) => isDeepStrictEqual(values[key], given[key]));
  if (named.length === view.targets.size) return view;
  const key = named.map(([one]) => one).join();
  return withTargets(view).get(key, () => ({ ...view, targets: new Map(named) }));
}

/** The maximum number of link sets to cache per view: hooks set the same links repeatedly. */
const maxSets = 100;

const withTargets = onceFor((_: WriteView) => new Latest<WriteView>(maxSets));
