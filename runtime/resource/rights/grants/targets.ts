import { isVisitorRole } from "../../../own-code/index.js";
import { hasConditions } from "../../../values/access-rule.js";
import type { Target } from "../../table/conflicts.js";
import { type Action, columnOf, type Table } from "../../table/table.js";
import { givesRows, ownerLink, someRows } from "./grants.js";

/** The role of callers, and what they do. */
interface WriterRole {
  readonly action: Action;
  readonly role: string | null;
}

/** What the link of this key may lead to, or whose account the field may name; null if any existing one will do. */
export function targetOf(
  table: Table<never>,
  key: string,
  { action, role }: WriterRole,
): Target | null {
  const link = Object.values(table.links ?? {}).find(({ field }) => field === key);
  const targets = [
    ownedTarget(table, key, { action, role }),
    link === undefined ? null : linkTarget(link.table?.(), role, columnOf(table, key)?.name),
  ].filter((target) => target !== null);
  if (targets.length === 0) return null;
  return (value, account, isStored) =>
    `(${targets.map((target) => target(value, account, isStored)).join(" and ")})`;
}

/** Whose records callers of the role may write; those without a token name no owner. */
function ownedTarget(
  table: Table<never>,
  key: string,
  { action, role }: WriterRole,
): Target | null {
  const { owner, access } = table;
  // The id of a group is what its members own, and never written.
  if (owner?.field !== key || key === "id") return null;
  if (isVisitorRole(role)) return owner.account === "text" ? isEmpty("text") : null;
  const own = ownerLink(table, access[action], role);
  return own && ((value, account) => own.link(`${value}::${own.type}`, account));
}

/** The records that callers of the role may get; `target` is left out for accounts. */
function linkTarget(
  target: Table<never> | undefined,
  role: string | null,
  column: string | undefined,
): Target | null {
  const isGiven = target !== undefined && givesRows(target, target.access.get, role);
  // To callers with a token, a rule that names other roles alone hides no record from links; owners and conditions do.
  if (!isGiven) return isVisitorRole(role) ? isEmpty("uuid") : null;
  const seen = someRows(target, target.access.get, role);
  if (seen === null) return null;
  // A condition may come to hide what a record links to.
  const mayStay = hasConditions(target.access.get);
  return (value, account, isStored) => {
    const stays =
      mayStay && column !== undefined && isStored !== undefined ? ` or ${isStored(column)}` : "";
    return `(${value}::uuid is null or exists (select from ${target.name} as _linked where _linked.id = ${value} and ${seen.row("_linked", account)})${stays})`;
  };
}

function isEmpty(type: "uuid" | "text"): Target {
  return (value) => `${value}::${type} is null`;
}
