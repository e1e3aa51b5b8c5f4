import type { BelongsToField, Field, Resource } from "../model/model.js";
import { searchedText } from "../schema/sql/table.js";
import { countName, linkName, tallyName } from "../schema/tables/object-names.js";
import type { Count } from "../schema/tables/schema.js";
import { countsOf } from "../schema/tables/tally.js";
import { type Layout, print } from "../text/layout.js";
import { sqlIdentifier, sqlLiteral } from "../text/sql.js";
import { render } from "../text/templates.js";
import {
  array,
  type Literal,
  literal,
  property,
  stringLiteral,
  tallObject,
  templateText,
} from "../text/typescript.js";
import { deletedMember, deleteMember, dependants, inSentence } from "./deletion.js";
import { type EmittedFile, preamble, resourceFile, runtimeTypes } from "./file.js";
import { uniqueRule, uniquesLiteral, untaken } from "./uniques.js";

/** `queries.ts`: the resource's table, with every statement on it that needs no more than values. */
export function emitQueries(resource: Resource): EmittedFile {
  const { type, collection, fields } = resource;
  const columns = fields.map(({ column }) => sqlIdentifier(column));
  return {
    path: resourceFile(resource, "queries"),
    text: render("generated/queries.ts", {
      preamble: preamble(resource, [
        runtimeTypes(["Table"]),
        { from: "./types.js", names: [`${type}Values as Values`], typeOnly: true },
      ]),
      collection,
      resource: stringLiteral(resource.name),
      singular: stringLiteral(inSentence(resource.singular)),
      table: sqlIdentifier(resource.table),
      tableText: stringLiteral(sqlIdentifier(resource.table)),
      delete: deleteMember(resource),
      record: recordLines(resource).map(templateText).join("\n  "),
      inserted: ["id", ...columns].map((column, at, all) => `${column}${comma(at, all)}`),
      source: insertSource(resource),
      untaken: untaken(resource, " and id <> $1").map((condition) => `and ${condition}`),
      assigned: columns.map((column, at) => `${column} = $${at + 2},`),
      values: print(["values: ", valuesFunction(resource), ","], { indent: 2 }),
      tally: stringLiteral(`service.${sqlIdentifier(tallyName(resource.table))}`),
      search: print(property("search", array(searched(resource))), { indent: 2, reserved: 1 }),
      columns: print(property("columns", columnsLiteral(resource)), { indent: 2, reserved: 1 }),
      uniques: uniquesLiteral(resource).map((uniques) =>
        print(property("uniques", uniques), { indent: 2, reserved: 1 }),
      ),
      deleted: deletedMember(resource),
      dependants: print(property("dependants", dependants(resource)), { indent: 2, reserved: 1 }),
    }),
  };
}

function comma(at: number, all: readonly unknown[]): string {
  return at < all.length - 1 ? "," : "";
}

/**
 * The new row. What another record is seen to hold already is not even tried: then a refusal by the
 * unique index itself means that two requests raced.
 */
function insertSource(resource: Resource): string[] {
  const parameters = ["id", ...resource.fields].map((_, at) => `$${at + 1}`).join(", ");
  const [first, ...others] = untaken(resource, "");
  if (first === undefined) return [`values (${parameters})`];
  return [`select ${parameters}`, `where ${first}`, ...others.map((other) => `  and ${other}`)];
}

/** PostgreSQL's functions take at most 100 arguments (`FUNC_MAX_ARGS`). */
const mostMembers = 50;

/**
 * SQL that makes the record's JSON. Keys are literals: an alias would be cut at 63 bytes. The members of
 * a wide record are made by several calls, whose texts are joined without the braces between them.
 */
function recordLines(resource: Resource): string[] {
  const members = recordMembers(resource);
  const parts: string[][] = [];
  for (let at = 0; at < members.length; at += mostMembers) {
    parts.push(members.slice(at, at + mostMembers));
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

/** A key and its value each, in the record's order. */
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
  const own = member(field.name, field.kind === "timestamp" ? isoTime(column) : column);
  if (field.kind !== "image" && field.kind !== "file") return [own];
  const key = `${sqlIdentifier(table)}.${column}`;
  const details = `(select details from service.uploads as _upload where _upload.key = ${key})`;
  // Most have none: looking for it all the same took a tenth of a list's time.
  const ifAny = `case when ${column} is not null then ${details} end`;
  return [own, member(`${field.name}File`, ifAny)];
}

/** `YYYY-MM-DDTHH:mm:ss.sssZ` */
function isoTime(column: string): string {
  return `service.iso_time(${column})`;
}

function valuesFunction({ variable, fields }: Resource): Layout {
  if (fields.length === 0) return "() => []";
  const values = fields.map(({ name }) => `${variable}.${name}`);
  return [`(${variable}) => `, array(values)];
}

function searched({ fields }: Resource): Layout[] {
  return fields
    .filter(({ kind }) => kind === "string")
    .map(({ column }) => stringLiteral(searchedText(column)));
}

function columnsLiteral({ name, table, fields }: Resource): Layout {
  const counts = countsOf(fields);
  return tallObject([
    property("id", literal({ name: "id", kind: "id", required: true })),
    ...fields.map((field) =>
      property(
        field.name,
        literal({ ...columnLiteral(name, table, field), ...countsLiteral(counts, field) }),
      ),
    ),
    property("createdAt", literal({ name: "created_at", kind: "timestamp", required: true })),
    property("updatedAt", literal({ name: "updated_at", kind: "timestamp", required: true })),
  ]);
}

/** The tally's columns for the values of a field that it counts. */
function countsLiteral(counts: readonly Count[], { column }: Field): Record<string, Literal> {
  const own = counts.filter((count) => count.column === column);
  return own.length === 0 ? {} : { counts: own.map((count) => sqlIdentifier(countName(count))) };
}

function columnLiteral(resource: string, table: string, field: Field): Record<string, Literal> {
  const column = sqlIdentifier(field.column);
  const kind = columnKind(field);
  return {
    name: column,
    kind,
    required: field.required,
    ...(field.kind === "enum" && { values: field.values }),
    ...uniqueRule(table, field),
    ...linkLiteral(resource, table, field),
  };
}

function linkLiteral(resource: string, table: string, field: Field): { link?: Literal } {
  const constraint = linkName(table, field.column);
  if (field.kind === "belongsTo") {
    return {
      link: { constraint, match: `exists (select from ${targetTable(field)} where id = $1)` },
    };
  }
  if (field.kind !== "image" && field.kind !== "file") return {};
  const uploaded = `key = $1 and resource = ${sqlLiteral(resource)} and field = ${sqlLiteral(field.name)}`;
  return { link: { constraint, match: `exists (select from service.uploads where ${uploaded})` } };
}

function targetTable({ target }: BelongsToField): string {
  const table = sqlIdentifier(target.table);
  return target.schema === "public" ? table : `${target.schema}.${table}`;
}

function columnKind(field: Field): string {
  if (field.kind === "number") return field.precision;
  return field.kind === "image" ? "file" : field.kind;
}
