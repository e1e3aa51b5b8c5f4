import { ownerWord, type Rule } from "../../values/access-rule.js";
import type { Owner, Table, Team } from "../table/table.js";
import { allRows, sumOf } from "../table/tally.js";
import type { AccountSql } from "./account.js";
import { isForOwnOnly } from "./rules.js";

/** The records that belong to a caller, by a rule that admits them as an owner only. */
export interface Ownership {
  /** SQL that is true for a row, itself SQL, that belongs to the account. */
  readonly row: (row: string, account: AccountSql) => string;
  /** SQL that is true when the value, itself SQL, would be the record's link to what the account owns. */
  readonly link: (value: string, account: AccountSql) => string;
  /** The SQL type of that link: a text where it is the id of an account of the app's own sign-in. */
  readonly linkType: "uuid" | "text";
  /** SQL for the number of rows that belong to the account; null where these are not counted. */
  readonly count: ((account: AccountSql) => string) | null;
}

/** The records that the rule leaves to somebody with this role; null where it admits the role to all of them. */
export function ownershipBy(
  { owner }: Pick<Table<never>, "owner">,
  rule: Rule,
  role: string | null,
): Ownership | null {
  if (owner === undefined || !isForOwnOnly(rule, role)) return null;
  const { column, leadsTo, counts, team, account: type = "uuid" } = owner;
  const owns = ownsBy(owner, rule);
  const link: Ownership["link"] = (value, account) =>
    leadsTo === undefined ? owns(value, account) : leadsTo(value, (end) => owns(end, account));
  return {
    row: (row, account) => link(`${row}.${column}`, account),
    link,
    linkType: leadsTo === undefined && team === undefined ? type : "uuid",
    count:
      counts === undefined
        ? null
        : (account) => `(select ${sumOf(allRows)} from ${counts} and ${owns("owner", account)})`,
  };
}

/** SQL that is true when the account is what owns a record, or belongs to the group that does, by a role that the rule names. */
function ownsBy({ team }: Owner, rule: Rule): (end: string, account: AccountSql) => string {
  if (team === undefined) return (end, account) => `${end} = ${account()}`;
  const isNamed = rolesBy(team, rule);
  return (end, account) => `${end} in (${team.groups(account())}${isNamed})`;
}

/** The condition for memberships with a role that the rule names; none where every member will do. */
function rolesBy({ roles = {} }: Team, rule: Rule): string {
  if (typeof rule === "string" || rule.includes(ownerWord)) return "";
  const named = rule.flatMap((word) => (Object.hasOwn(roles, word) ? [roles[word]] : []));
  return ` and (${named.length === 0 ? "false" : named.join(" or ")})`;
}
