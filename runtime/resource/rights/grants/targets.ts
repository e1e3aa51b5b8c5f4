import { isVisitorRole } from "../../../own-code/index.js";
import { hasConditions } from "../../../values/access-rule.js";
import { idColumn, idSqlType } from "../../table/column-keys.js";
import type { Target } from "../../table/conflicts.js";
import { kindOf } from "../../table/kinds/kinds.js";
import { type Action, type Column, columnOf, type Table } from "../../table/table.js";
import { givesRows, ownerLink, someRows } from "./grants.js";

interface WriterRole {
  readonly action: Action;
  readonly role: string | null;
}

/** The condition on the target of a link, or on the account in a field; null if every existing target is allowed. */
export function targetOf(
  table: Table<never>,
  key: string,
  { action, role }: WriterRole,
): Target | null {
  const link = Object.values(table.links ?? {}).find(({ field }) => field === key);
  const column = columnOf(table, key);
  if (link !== undefined && column?.entries !== undefined) {
    return listTarget(link.table?.(), role, column);
  }
  const targets = [
    ownedTarget(table, key, { action, role }),
    link === undefined ? null : linkTarget(link.table?.(), role, column?.name),
  ].filter((target) => target !== null);
  if (targets.length === 0) return null;
  return (value, account, stored) =>
    `(${targets.map((target) => target(value, account, stored)).join(" and ")})`;
}

/** The condition on the owner that callers with this role may set; callers without a token may not set an owner. */
function ownedTarget(
  table: Table<never>,
  key: string,
  { action, role }: WriterRole,
): Target | null {
  const { owner, access } = table;
  // The `id` of a group stands for its owner, and is never written.
  if (owner?.field !== key || key === "id") return null;
  if (isVisitorRole(role)) return owner.account === "text" ? isEmpty("text") : null;
  const own = ownerLink(table, access[action], role);
  const column = columnOf(table, key);
  const { idType, sqlType } = column === null ? { idType: null, sqlType: "" } : kindOf(column);
  const type = idType === null || idType === "uuid" ? own?.type : sqlType;
  return own && ((value, account) => own.link(`${value}::${type}`, account));
}

/**
 * The condition for records that callers with this role may get, as targets of a link; `target` is omitted for
 * accounts.
 */
function linkTarget(
  target: Table<never> | undefined,
  role: string | null,
  column: string | undefined,
): Target | null {
  const isGiven = target !== undefined && givesRows(target, target.access.get, role);
  // For callers with a token, a rule that only names other roles does not hide targets; conditions on owners or values
  // do.
  const sqlType = target === undefined ? "uuid" : idSqlType(target);
  if (!isGiven) return isVisitorRole(role) ? isEmpty(sqlType) : null;
  const seen = someRows(target, target.access.get, role);
  if (seen === null) return null;
  // A condition may hide a target to which a record already links.
  const mayStay = hasConditions(target.access.get);
  return (value, account, stored) => {
    const stays =
      mayStay && column !== undefined && stored !== undefined
        ? ` or ${stored(column)} = ${value}`
        : "";
    return `(${value}::${sqlType} is null or exists (select from ${target.name} as _linked where _linked.${idColumn(target)} = ${value} and ${seen.row("_linked", account)})${stays})`;
  };
}

/**
 * The same for a list of links, in which existing links may stay. For a list in a table of another application, only
 * new links are checked.
 */
function listTarget(
  target: Table<never> | undefined,
  role: string | null,
  { name: column, through }: Column,
): Target | null {
  const isGiven = target !== undefined && givesRows(target, target.access.get, role);
  const ids = target === undefined ? "uuid[]" : `${idSqlType(target)}[]`;
  if (!isGiven) return isVisitorRole(role) ? (value) => `${value}::${ids} = '{}'` : null;
  const seen = someRows(target, target.access.get, role);
  if (seen === null) return null;
  return (value, account, stored) => {
    const stays =
      stored === undefined || through === true
        ? ""
        : ` and _sent.id <> all ((${stored(column)})::${ids})`;
    const linked = `select from ${target.name} as _linked where _linked.${idColumn(target)} = _sent.id and ${seen.row("_linked", account)}`;
    return `(not exists (select from unnest(${value}::${ids}) as _sent (id) where not exists (${linked})${stays}))`;
  };
}

function isEmpty(type: string): Target {
  return (value) => `${value}::${type} is null`;
}
