import { isMeant } from "../../../http/index.js";
import { isVisitorRole } from "../../../own-code/index.js";
import { entriesOf, isOwnerWord, ownerWord, whoOf } from "../../../values/access-rule.js";
import type { TableEntry, TableRule } from "../../table/rule.js";
import { type Column, columnOf, type Owner, type Table } from "../../table/table.js";
import { allRows, countOf, sumOf, tallied } from "../../table/tally.js";
import type { AccountSql } from "../account.js";

/** The rights granted by one entry of a rule, or by several that differ only in the roles of members. */
interface Grant {
  /** The entry's terms for the owner of a record; null if it does not require ownership. */
  readonly owners: readonly string[] | null;
  readonly entry: TableEntry | null;
}

/** Returns SQL that is true for a row, given as SQL, in relation to an account. */
type RowCondition = (row: string, account: AccountSql) => string;

/** The rows to which a rule grants access, if it does not grant access to all. */
export interface SomeRows {
  readonly row: RowCondition;
  /** Returns SQL for the number of these rows; null if the tally does not count them. */
  readonly count: ((account: AccountSql) => string) | null;
  /** The column that has the same value in all these rows; null for any other condition. */
  readonly equal: Column | null;
  /** Whether these are the rows with the account in a column. */
  readonly isOwnerLink: boolean;
  readonly isOfAccount: boolean;
  /** Whether conditions decide, instead of ownership alone. */
  readonly isConditional: boolean;
}

/** A condition on the link of a record to its owner. */
export interface OwnerLink {
  /** SQL that is true if the value, given as SQL, links the record to what the account owns. */
  readonly link: RowCondition;
  /** The SQL type of that link: text for account ids of custom authentication. */
  readonly type: "uuid" | "text";
}

/** The conditions on a written record, for each entry of the rule. */
export interface Judge {
  /** For each entry, the condition on the stored record; empty for a new record. */
  readonly stored: readonly RowCondition[];
  /** For each entry, the condition on the record after the write. */
  readonly written: readonly RowCondition[];
}

type Owned = Pick<Table<never>, "owner">;

/** The rows to which the rule grants access for this role; null for all rows. */
export function someRows(
  table: Pick<Table<never>, "owner" | "columns" | "tally">,
  rule: TableRule,
  role: string | null,
): SomeRows | null {
  const grants = grantsBy(table, rule, role);
  const isWhole = ({ owners, entry }: Grant) => owners === null && entry?.stored === undefined;
  if (grants === null || grants.some(isWhole)) return null;
  const conditions = grants.map((grant) => storedBy(table, grant));
  const row: RowCondition = (name, account) => anyOf(conditions.map((one) => one(name, account)));
  let isOfAccount = false;
  row("_row", () => {
    isOfAccount = true;
    return "_account";
  });
  const isConditional = grants.some(({ entry }) => entry?.stored !== undefined);
  return { row, isOfAccount, isConditional, ...kept(table, grants) };
}

/** Whether the rule grants this role access to any records. */
export function givesRows(table: Owned, rule: TableRule, role: string | null): boolean {
  return grantsBy(table, rule, role)?.length !== 0;
}

/**
 * The condition on the owner link of records that callers with this role may write only as owners; null if they may
 * write others too.
 */
export function ownerLink(table: Owned, rule: TableRule, role: string | null): OwnerLink | null {
  const grants = grantsBy(table, rule, role);
  const { owner } = table;
  if (owner === undefined || grants === null || grants.length === 0) return null;
  const { leadsTo, team, account: type = "uuid" } = owner;
  const link = anyOwnerLink(table, rule, role);
  if (link === null || grants.some(({ owners }) => owners === null)) return null;
  return { link, type: leadsTo === undefined && team === undefined ? type : "uuid" };
}

/**
 * SQL that is true if the value, given as SQL, leads to something that the account owns by one of the entries; null if
 * no entry requires ownership.
 */
export function anyOwnerLink(
  table: Owned,
  rule: TableRule,
  role: string | null,
): RowCondition | null {
  const words = (grantsBy(table, rule, role) ?? []).flatMap(({ owners }) => owners ?? []);
  const { owner } = table;
  return owner === undefined || words.length === 0 ? null : linkBy(owner, words);
}

/**
 * For each entry of the rule, the conditions before and after a caller with this role changes a record; null if the
 * right to change the row is sufficient.
 */
export function changeJudge(table: Table<never>, rule: TableRule, role: string | null) {
  const grants = grantsBy(table, rule, role);
  if (grants === null || !isJudged(grants)) return null;
  return {
    stored: grants.map((grant) => storedBy(table, grant)),
    written: grants.map((grant) => bothOf([ownsBy(table, grant), grant.entry?.written ?? null])),
  } satisfies Judge;
}

/**
 * The conditions on a record that callers with this role create; null if there are none, or only the link to its owner
 * decides.
 */
export function createJudge(table: Table<never>, rule: TableRule, role: string | null) {
  const grants = grantsBy(table, rule, role);
  if (grants === null) return null;
  const isPlain = grants.every(({ entry }) => entry === null);
  if (isPlain && !isJudged(grants)) return null;
  const written = grants.map((grant) =>
    bothOf([storedBy(table, grant), grant.entry?.written ?? null]),
  );
  return { stored: [], written } satisfies Judge;
}

/** Whether the entries have different conditions on the written record. */
function isJudged(grants: readonly Grant[]): boolean {
  const words = new Set(grants.map(({ owners }) => JSON.stringify(owners)));
  return words.size > 1 || grants.some(({ entry }) => entry?.written !== undefined);
}

/** The rights that the rule grants to callers with this role; null for all records. */
function grantsBy({ owner }: Owned, rule: TableRule, role: string | null): readonly Grant[] | null {
  const owners: string[] = [];
  const grants: Grant[] = [];
  for (const entry of entriesOf<TableEntry>(rule)) {
    const who = whoOf(entry);
    const isOwner = isOwnerWord(who);
    if (isOwner ? owner === undefined || isVisitorRole(role) : !isMeant(who, role)) continue;
    if (typeof entry !== "string") grants.push({ owners: isOwner ? [who] : null, entry });
    else if (isOwner) owners.push(who);
    else return null;
  }
  return owners.length === 0 ? grants : [{ owners, entry: null }, ...grants];
}

/** The condition of an entry on a stored record. */
function storedBy(table: Owned, grant: Grant): RowCondition {
  return bothOf([ownsBy(table, grant), grant.entry?.stored ?? null]);
}

/** The condition that an access-rule entry sets for the owner of a record; null if the entry requires no ownership. */
function ownsBy({ owner }: Owned, { owners }: Grant): RowCondition | null {
  if (owner === undefined || owners === null) return null;
  const link = linkBy(owner, owners);
  return (row, account) => link(`${row}.${owner.column}`, account);
}

function bothOf(conditions: readonly (RowCondition | null)[]): RowCondition {
  const all = conditions.filter((one) => one !== null);
  return (row, account) => {
    const texts = all.map((one) => one(row, account));
    if (texts.length < 2) return texts[0] ?? "true";
    return `(${texts.join(" and ")})`;
  };
}

function anyOf(texts: readonly string[]): string {
  if (texts.length < 2) return texts[0] ?? "false";
  return `(${texts.join(" or ")})`;
}

function linkBy(owner: Owner, words: readonly string[]): RowCondition {
  const { leadsTo } = owner;
  const owns = accountOwns(owner, words);
  return (value, account) =>
    leadsTo === undefined ? owns(value, account) : leadsTo(value, (end) => owns(end, account));
}

/** SQL that is true if the account owns a record, or belongs to the group that owns it with a role among `words`. */
function accountOwns({ team }: Owner, words: readonly string[]): RowCondition {
  if (team === undefined) return (end, account) => `${end} = ${account()}`;
  const isNamed = rolesBy(team.roles ?? {}, words);
  return (end, account) => `${end} in (${team.groups(account())}${isNamed})`;
}

/** The condition for memberships with a role among `words`; empty if any role is sufficient. */
function rolesBy(roles: Readonly<Record<string, string>>, words: readonly string[]): string {
  if (words.includes(ownerWord)) return "";
  const named = words.flatMap((word) => (Object.hasOwn(roles, word) ? [roles[word]] : []));
  return ` and (${named.length === 0 ? "false" : named.join(" or ")})`;
}

/** How the tally and the indexes cover the rows of a single entry. */
function kept(
  table: Pick<Table<never>, "owner" | "columns" | "tally">,
  grants: readonly Grant[],
): Pick<SomeRows, "count" | "equal" | "isOwnerLink"> {
  const none = { count: null, equal: null, isOwnerLink: false };
  const [grant, ...others] = grants;
  if (grant === undefined || others.length > 0) return none;
  const { owners, entry } = grant;
  const { owner, columns } = table;
  if (owners !== null && owner !== undefined && entry?.stored === undefined) {
    const { leadsTo, team, counts } = owner;
    const owns = accountOwns(owner, owners);
    // No index has the rows of several groups together.
    const isOwnerLink = leadsTo === undefined && team === undefined;
    if (counts === undefined) return { ...none, isOwnerLink };
    const count = (account: AccountSql) =>
      `(select ${sumOf(allRows)} from ${counts} and ${owns("owner", account)})`;
    return { count, equal: null, isOwnerLink };
  }
  const equal = owners === null && entry?.equal !== undefined ? entry.equal : null;
  const column = equal === null ? null : columnOf({ columns }, equal.field);
  if (equal === null || column === null) return none;
  const count = countOf(column, equal.value);
  return {
    count: count === null ? null : () => tallied(table, count),
    equal: column,
    isOwnerLink: false,
  };
}
