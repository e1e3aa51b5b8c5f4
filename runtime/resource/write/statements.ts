import { tagSql } from "../record/tag.js";
import type { Values } from "../table/conflicts.js";
import { columnOf, columnValues, type Table } from "../table/table.js";
import { isTaken, rulesOf } from "../table/uniques.js";
import type { Change, Create, Delete } from "./operation.js";

export interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** Returns an `InsertedRow`; none when another record already has a unique value. */
export function createStatement({ table, id }: Create, values: Values): Statement {
  // The emitted statement ends with what it returns.
  const text = `${ifLinksLeadToOwn(table, table.queries.insert)}, id`;
  return { text, parameters: [id, ...columnValues(table, values)] };
}

/** The emitted `insert`, which stores nothing where a link leads to a record that the caller may not use. */
function ifLinksLeadToOwn(table: Table<never>, insert: string): string {
  const keys = Object.keys(table.columns).slice(1, -2);
  const conditions = ownLinkConditions(table, keys);
  if (conditions.length === 0) return insert;
  const source = insert.replace(/^( *)values \((.*)\)$/m, "$1select $2\n$1where true");
  return source.replace(
    /^ *returning /m,
    (returning) => `and ${conditions.join(" and ")}${returning}`,
  );
}

/** A condition for links that their constraints do not check enough; `$2` is the value of the first key. */
function ownLinkConditions(table: Table<never>, keys: readonly string[]): readonly string[] {
  return keys.flatMap((key, at) => {
    const link = columnOf(table, key)?.link;
    const value = `$${at + 2}`;
    if (link?.isOwn === undefined) return [];
    return [`(${value}::uuid is null or ${link.match.replaceAll("$1", value)})`];
  });
}

/** Like `createStatement`; no row when the record does not fulfil the precondition. Null where nothing changes. */
export function changeStatement(write: Change, values: Values): Statement | null {
  const { kind, table, id } = write;
  if (kind === "replace" && isWhole(table, values)) {
    const parameters = [id, ...columnValues(table, values)];
    return ifMatching(write, { text: table.queries.replace, parameters });
  }
  const keys = Object.keys(values);
  if (keys.length === 0) return null;
  const parameters = [id, ...Object.values(values)];
  return ifMatching(write, { text: updateStatement(table, keys), parameters });
}

/** The keys of a PUT, without those that its caller may not write. */
function isWhole(table: Table<never>, values: Values): boolean {
  const keys = Object.keys(table.columns).slice(1, -2);
  return keys.every(
    (key) => Object.hasOwn(values, key) && columnOf(table, key)?.link?.isOwn === undefined,
  );
}

/** Returns the id; no row when there is no such record, or it does not fulfil the precondition. */
export function deleteStatement(write: Delete): Statement {
  return ifMatching(write, { text: write.table.queries.delete, parameters: [write.id] });
}

/** The statement with the precondition where it finds the record, so that it also sees concurrent changes. */
function ifMatching({ table, ifMatch }: Change | Delete, statement: Statement): Statement {
  if (ifMatch === null) return statement;
  const { text, parameters } = statement;
  const found = "where id = $1";
  const matching = `${found} and ${tagSql(table)} = any($${parameters.length + 1})`;
  return { text: text.replace(found, () => matching), parameters: [...parameters, ifMatch] };
}

/**
 * The statement of a PATCH: like the emitted `replace`, for some of the fields. `$1` is the id, then their
 * values. Rules on several fields use the stored values of those that were not sent.
 */
function updateStatement(table: Table<never>, keys: readonly string[]): string {
  const columns = keys.flatMap((key) => columnOf(table, key) ?? []);
  const set = columns.map(({ name }, at) => `${name} = $${at + 2}`);
  const untaken = columns.flatMap(({ unique }, at) => {
    const match = unique?.match.replaceAll("$1", `$${at + 2}`);
    const taken = `select from ${table.name} where ${match} and id <> $1`;
    return match === undefined ? [] : [`and not exists (${taken})`];
  });
  const sqlOf = (key: string) => {
    const at = keys.indexOf(key);
    return at < 0 ? `${table.name}.${columnOf(table, key)?.name}` : `$${at + 2}`;
  };
  const untakenTogether = rulesOf(table, keys).map(
    (rule) => `and not ${isTaken(table, rule, { sqlOf, except: " and id <> $1" })}`,
  );
  const links = ownLinkConditions(table, keys).map((condition) => `and ${condition}`);
  const own = table.own === undefined ? "" : ` and ${table.own(table.name)}`;
  return `
      update ${table.name}
      set ${set.join(", ")}, updated_at = greatest(now(), updated_at + interval '1 millisecond')
      where id = $1${own} ${[...untaken, ...untakenTogether, ...links].join(" ")}
      returning ${table.queries.record} as json, xmin::text as version`;
}
