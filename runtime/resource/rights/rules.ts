import { isAllowed, namesRole } from "../../http/index.js";
import type { Caller } from "../../own-code/index.js";
import {
  entriesOf,
  hasConditions,
  isNarrowRule,
  isOwnerRule,
  type Rule,
} from "../../values/access-rule.js";
import { isWritten } from "../table/column-keys.js";
import { type Action, type Column, columnOf, type FieldRule, type Table } from "../table/table.js";
import { onceFor } from "./once-for.js";

/** Whether the rule allows accounts with this role only as owners of a record. */
export function isForOwnedOnly(rule: Rule, role: string | null): boolean {
  return isOwnerRule(rule) && !namesRole(rule, role);
}

/** Whether conditions on the record decide if the rule allows an account with this role. */
export function isForSome(rule: Rule, role: string | null): boolean {
  if (namesRole(rule, role) || !hasConditions(rule)) return false;
  return entriesOf(rule).some((entry) => typeof entry !== "string" && isAllowed({ role }, [entry]));
}

/** Whether the role may use a field; without a rule, every role may. */
export function isOpenTo(rule: FieldRule | undefined, role: string | null): boolean {
  return rule === undefined || namesRole(rule, role);
}

/** The keys of the fields that the role may not use. */
export function closedKeys(
  { columns }: Pick<Table<never>, "columns">,
  rule: "read" | "write",
  role: string | null,
): readonly string[] {
  const closed = Object.entries<Column>(columns).filter(
    ([, column]) => !isOpenTo(column[rule], role),
  );
  return closed.map(([key]) => key);
}

/** Whether the caller may read and write a field, by the field's rules alone. */
export function fieldRights(
  table: Table<never>,
  key: string,
  { role }: Caller,
): { readonly readable: boolean; readonly writable: boolean } {
  const column = columnOf(table, key);
  return {
    readable: isOpenTo(column?.read, role),
    writable: (column === null || isWritten(column)) && isOpenTo(column?.write, role),
  };
}

/**
 * Whether all callers who may read the table see the same fields and records. Cached, because each request needs it.
 */
export const isSeenAlike = onceFor((table: Table<never>) =>
  isPlain(table, ["list", "get", "stats"], "read"),
);

/** Whether all callers who may write the table may write the same fields, and get the same ones back. */
export const isWrittenAlike = onceFor((table: Table<never>) => {
  const { owner, links = {}, columns } = table;
  return (
    owner === undefined &&
    isPlain(table, ["create", "update", "delete"], "write") &&
    Object.values<Column>(columns).every(({ read }) => read === undefined) &&
    Object.values(links).every(
      ({ table: target }) => !isNarrowRule(target?.().access.get ?? "nobody"),
    )
  );
});

function isPlain(
  { access, columns }: Table<never>,
  actions: readonly Action[],
  rule: "read" | "write",
): boolean {
  return (
    !actions.some((action) => isNarrowRule(access[action])) &&
    Object.values<Column>(columns).every((column) => column[rule] === undefined)
  );
}
