import { type RecordId, usualId } from "../../runtime/values/schema/id-types.js";
import { plainName, shortName } from "../../runtime/values/schema/short-name.js";
import { sqlTable } from "../../runtime/values/sql/table-name.js";
import { sqlIdentifier } from "../../runtime/values/sql/text.js";
import { accountsTable, type Dependants, type Model, type Resource } from "../model/model.js";
import { type Layout, print } from "../text/layout.js";
import {
  arrow,
  literal,
  place,
  property,
  stringLiteral,
  templateText,
} from "../text/typescript.js";
import { idPlace } from "./table/id.js";

/** The table of a deleted record. */
export interface Deleted extends Pick<Resource, "table" | "deletion" | "id"> {
  /** The table's name, quoted for SQL. */
  readonly name: string;
  /** A placeholder for a condition on the row; empty if there is none. */
  readonly row: string;
  /** Whether deleted records are kept in the trash. */
  readonly isKept: boolean;
}

/** Formats SQL, either unchanged or for a template literal. */
type Write = (sql: string) => string;

const asText: Write = (sql) => sql;

/** A condition on the row, from the parameter of the emitted function. */
const rowPlace = ` and ${place("row")}`;

function deletedRecord({ table, deletion, trash, id }: Resource): Deleted {
  const name = sqlTable(table);
  return { table, deletion, id, name, row: rowPlace, isKept: trash !== null };
}

export function deletedAccount({ accounts }: Model): Deleted {
  const name = `service.${accountsTable}`;
  return { table: accountsTable, deletion: accounts, id: usualId, name, row: "", isKept: false };
}

/**
 * Returns the SQL of `delete`, in lines. All cascading deletes are one statement, so that links that refuse deletion
 * are checked after all of them, in whichever order the links were created. The record is locked first; rows added
 * after the statement began are deleted by foreign keys.
 */
function deleteLines(deleted: Deleted, write: Write): readonly string[] {
  const { table, deletion, row, id } = deleted;
  const name = write(deleted.name);
  const column = write(sqlIdentifier(id.column));
  const own = write(idPart(id));
  const found = `where ${column} = ${idPlace(id)}${row}`;
  if (deletion.cascades.length === 0) return [`delete from ${name} ${found} returning ${own}`];
  const parts = deletion.cascades.map((dependants) =>
    withPart(dependants.table, [
      write(`delete from ${sqlTable(dependants.table)}`),
      ...deletedMatch(dependants, parentIn).map(write),
      ...parentsFirst(dependants, deleted).map(write),
      `returning ${write(idPart(dependants.id))}`,
    ]),
  );
  return [
    ...withClause([withPart(table, [`select ${own} from ${name} ${found} for update`]), ...parts]),
    `  delete from ${name} where ${column} in (${parentIn(table)}) returning ${own}`,
  ];
}

/**
 * Returns SQL that deletes the rows of all parents before a row that belongs to several. The trash copies the parent's
 * deletion mark, which must exist at that time. PostgreSQL executes a `with` part only as far as other parts read it,
 * and the rest at the end of the statement.
 */
function parentsFirst({ links }: Dependants, { table, isKept }: Deleted): readonly string[] {
  const targets = [...new Set(links.map(({ target }) => target))];
  if (!isKept || targets.length === 1) return [];
  return targets
    .filter((target) => target !== table)
    .map((target) => `and (select count(*) from ${partName(target)}) >= 0`);
}

/** The SQL of `deleted`, in lines; empty if a delete does not cascade. */
function deletedLines({ table, deletion }: Deleted, write: Write): readonly string[] {
  if (deletion.cascades.length === 0) return [];
  return withClause(
    deletion.cascades.map((dependants) =>
      withPart(dependants.table, [
        write(`select ${idPart(dependants.id)} from ${sqlTable(dependants.table)}`),
        ...deletedMatch(dependants, parentOf(table)).map(write),
      ]),
    ),
  );
}

/** Selects the id as the column `id` of a `with` part. */
function idPart({ column }: RecordId): string {
  return column === usualId.column ? column : `${sqlIdentifier(column)} as id`;
}

/** The lines of `delete`, a function of the condition on the row. */
export function deleteMember(resource: Resource): readonly string[] {
  const lines = deleteLines(deletedRecord(resource), templateText);
  const [only = ""] = lines;
  return lines.length === 1
    ? [print([property("delete", arrow("{ row }", `\`${only}\``)), ","], { indent: 2 })]
    : ["delete: ({ row }) => `", ...closed(lines)];
}

export function deleteAccountMember(deleted: Deleted): readonly string[] {
  const lines = deleteLines(deleted, templateText);
  const [only = ""] = lines;
  return lines.length === 1
    ? [print([property("delete", stringLiteral(only)), ","], { indent: 2 })]
    : ["delete: `", ...closed(lines)];
}

/** The lines of `deleted`; empty if a delete does not cascade. */
export function deletedMember(resource: Resource): readonly string[] {
  return deletedMemberOf(deletedRecord(resource));
}

/** The lines of `deleted` for a record or an account. */
export function deletedMemberOf(deleted: Deleted): readonly string[] {
  const lines = deletedLines(deleted, templateText);
  return lines.length === 0 ? [] : ["deleted: `", ...closed(lines)];
}

function closed(lines: readonly string[]): readonly string[] {
  return [...lines.slice(0, -1), `${lines.at(-1)}\`,`];
}

export function dependants(resource: Resource): Layout {
  return literal(dependantsOf(deletedRecord(resource)));
}

/** The deletes that a delete causes, and the links that refuse it, as plain values. */
export function deletionValues(deleted: Deleted) {
  const lines = deletedLines(deleted, asText);
  return {
    delete: deleteLines(deleted, asText).join("\n"),
    ...(lines.length > 0 && { deleted: lines.join("\n") }),
    dependants: dependantsOf(deleted),
  };
}

/** Returns the value of `dependants`: the records that prevent the deletion. */
export function dependantsOf({ table: own, deletion }: Deleted) {
  return deletion.refusals.map((refusal) => {
    const { table, label, singular, links, entries } = refusal;
    const parent = parentOf(own);
    if (entries !== undefined) return listingRecords(own, deletion, { ...refusal, entries });
    const belongs = links.map(({ column, target }) => linkMatch(column, parent(target)));
    const isDeleted = deletion.cascades.some((cascade) => cascade.table === table);
    const stays = `${sqlIdentifier(refusal.id.column)} not in (${parentIn(table)})`;
    return {
      table: sqlTable(table),
      match: isDeleted ? `(${belongs.join(" or ")}) and ${stays}` : belongs.join(" or "),
      plural: inSentence(label),
      singular: inSentence(singular),
    };
  });
}

/**
 * Returns the records whose lists contain a deleted record, except the record itself and those that are deleted with
 * it.
 */
function listingRecords(
  own: string,
  { cascades }: Deleted["deletion"],
  { table, label, singular, links, entries }: Dependants & { readonly entries: string },
) {
  const listed = links.map(({ column, target }) => linkMatch(column, parentOf(own)(target)));
  const isDeleted = table === own || cascades.some((cascade) => cascade.table === table);
  const others = isDeleted ? [`not (${linkMatch("record_id", parentOf(own)(table))})`] : [];
  return {
    table: sqlIdentifier(entries),
    match: [listed.join(" or "), ...others].join(" and "),
    plural: inSentence(label),
    singular: inSentence(singular),
  };
}

/** Returns a condition for the rows that belong to a deleted record; `parent` is SQL for the ids of a table. */
function deletedMatch(
  { table, links, id }: Dependants,
  parent: (target: string) => string,
): readonly string[] {
  const matches = links.map(({ column, target }) => linkMatch(column, parent(target)));
  if (matches.length === 1) return matches.map((match) => `where ${match}`);
  // Each link uses its own index.
  const column = sqlIdentifier(id.column);
  const found = matches.map((match) => `  select ${column} from ${sqlTable(table)} where ${match}`);
  return [
    `where ${column} in (`,
    ...found.flatMap((one, at) => (at === 0 ? [one] : ["  union all", one])),
    ")",
  ];
}

function linkMatch(column: string, parent: string): string {
  const name = sqlIdentifier(column);
  return parent === "$1" ? `${name} = $1` : `${name} in (${parent})`;
}

function parentOf(own: string) {
  return (target: string): string => (target === own ? "$1" : parentIn(target));
}

/** SQL for the ids of a table's deleted rows, in a statement with a `with` part for the table. */
export function parentIn(target: string): string {
  return `select id from ${partName(target)}`;
}

function withClause(parts: readonly (readonly string[])[]): readonly string[] {
  return parts.flatMap(([name, ...lines], at) => [
    `  ${at === 0 ? "with " : ""}${name} (`,
    ...lines.map((line) => `    ${line}`),
    at === parts.length - 1 ? "  )" : "  ),",
  ]);
}

function withPart(table: string, lines: readonly string[]): readonly string[] {
  return [`${partName(table)} as`, ...lines];
}

/** Returns the name of the table's `with` part; names of tables never begin with an underscore. */
function partName(table: string): string {
  return sqlIdentifier(shortName(`_${plainName(table)}`));
}

/** Converts "Order items" to "order items"; a word in capitals is unchanged. */
export function inSentence(words: string): string {
  const [first = "", second = ""] = words;
  return second !== "" && second === second.toUpperCase() && second !== second.toLowerCase()
    ? words
    : first.toLowerCase() + words.slice(first.length);
}
