import { type Field, kindOf } from "../kind/kinds.js";
import { isoTime } from "../kind/timestamp.js";
import type { Resource } from "../model/model.js";
import { sqlIdentifier, sqlLiteral } from "../text/sql.js";
import { render } from "../text/templates.js";
import { templateText } from "../text/typescript.js";
import { deletedMember, deleteMember } from "./deletion.js";
import { type EmittedFile, preamble, resourceFile, runtimeTypes } from "./file.js";
import { untaken } from "./uniques.js";

/** `queries.ts`: every statement on one record of the resource, whole. */
export function emitQueries(resource: Resource): EmittedFile {
  const columns = resource.fields.map(({ column }) => sqlIdentifier(column));
  return {
    path: resourceFile(resource, "queries"),
    text: render("generated/queries.ts", {
      preamble: preamble(resource, [runtimeTypes(["Queries"])]),
      variable: resource.variable,
      table: sqlIdentifier(resource.table),
      record: recordLines(resource).map(templateText).join("\n  "),
      inserted: ["id", ...columns].map((column, at, all) => `${column}${comma(at, all)}`),
      source: insertSource(resource),
      untaken: untaken(resource, " and id <> $1").map((condition) => `and ${condition}`),
      assigned: columns.map((column, at) => `${column} = $${at + 2},`),
      delete: deleteMember(resource),
      deleted: deletedMember(resource),
    }),
  };
}

function comma(at: number, all: readonly unknown[]): string {
  return at < all.length - 1 ? "," : "";
}

/**
 * The source of the new row. A value that another record is seen to have is not tried, so that a
 * refusal by the unique index itself means that two requests raced.
 */
function insertSource(resource: Resource): string[] {
  const parameters = ["id", ...resource.fields].map((_, at) => `$${at + 1}`).join(", ");
  const [first, ...others] = untaken(resource, "");
  if (first === undefined) return [`values (${parameters})`];
  return [`select ${parameters}`, `where ${first}`, ...others.map((other) => `  and ${other}`)];
}

/** PostgreSQL's functions take at most 100 arguments (`FUNC_MAX_ARGS`). */
const maxMembers = 50;

/**
 * SQL that makes the record's JSON. Keys are literals: an alias would be cut at 63 bytes. The members of
 * a wide record are made by several calls, whose texts are joined without the braces between them.
 */
function recordLines(resource: Resource): string[] {
  const members = recordMembers(resource);
  const parts: string[][] = [];
  for (let at = 0; at < members.length; at += maxMembers) {
    parts.push(members.slice(at, at + maxMembers));
  }
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return jsonObject(only, "", "");
  const joined = parts.flatMap((part, at) => {
    const isFirst = at === 0;
    const isLast = at === parts.length - 1;
    const open = (isFirst ? "" : "substr(") + (isLast ? "" : "left(");
    const close = (isLast ? "" : ", -1)") + (isFirst ? "" : ", 2)");
    return jsonObject(part, open, `${close}${comma(at, parts)}`);
  });
  return ["concat_ws(", "  ', ',", ...joined.map((line) => `  ${line}`), ")"];
}

function jsonObject(members: readonly string[], open: string, close: string): string[] {
  const lines = members.map((member, at) => `  ${member}${comma(at, members)}`);
  return [`${open}json_build_object(`, ...lines, `)::text${close}`];
}

/** Keys with their values, in the record's order. */
function recordMembers({ table, fields }: Resource): string[] {
  return [
    member("id", "id"),
    ...fields.flatMap((field) => fieldMembers(table, field)),
    member("createdAt", isoTime("created_at")),
    member("updatedAt", isoTime("updated_at")),
  ];
}

function member(key: string, value: string): string {
  return `${sqlLiteral(key)}, ${value}`;
}

function fieldMembers(table: string, field: Field): string[] {
  const column = sqlIdentifier(field.column);
  const kind = kindOf(field);
  const own = member(field.name, kind.json(column));
  if (!kind.isFile) return [own];
  const key = `${sqlIdentifier(table)}.${column}`;
  const details = `(select details from service.uploads as _upload where _upload.key = ${key})`;
  // Most have none: looking it up anyway took a tenth of a list's time.
  const ifAny = `case when ${column} is not null then ${details} end`;
  return [own, member(`${field.name}File`, ifAny)];
}
