import { idForms, type RecordId } from "../../runtime/values/schema/id-types.js";
import { sqlTable } from "../../runtime/values/sql/table-name.js";
import { sqlIdentifier } from "../../runtime/values/sql/text.js";
import { type StoredColumns, storedIn } from "../model/adopted.js";
import { momentSql, zoneOf } from "../model/column-sql.js";
import type { Model, Resource } from "../model/model.js";
import { writtenColumns } from "../model/needed.js";
import { setTimes } from "../model/times.js";
import { print } from "../text/layout.js";
import { render } from "../text/templates.js";
import { arrow, place, property, templateText } from "../text/typescript.js";
import { deletedMember, deleteMember } from "./deletion.js";
import { type EmittedFile, preamble, resourceFile, runtimeTypes } from "./file.js";
import { castOf } from "./table/column.js";
import { idMatch, shownId } from "./table/id.js";
import { freeConditions } from "./uniques.js";

/**
 * Emits `queries.ts`: the complete text of every statement on one record of the resource, as functions of the parts
 * that depend on the caller.
 */
export function emitQueries(resource: Resource, model: Model): EmittedFile {
  const table = templateText(sqlTable(resource.table));
  const { id } = resource;
  const columns = writtenColumns(resource).map(({ column }) => sqlText(column));
  const values = valuesOf(resource, storedIn(model, resource));
  const times = setTimes(resource, model.adopted?.has(resource.table) ? "adopted" : "own");
  const version = model.unversioned?.has(resource.table) ? "''" : "xmin::text";
  return {
    path: resourceFile(resource, "queries"),
    text: render("generated/queries.ts", {
      preamble: preamble(resource, [runtimeTypes(["Queries"])]),
      variable: resource.variable,
      table,
      version,
      id: shownId(id),
      match: idMatch(id),
      get: print([property("get", getFunction(resource, version)), ","], { indent: 2 }),
      inserted: [
        ...(isMade(id) ? [] : [sqlText(id.column)]),
        ...columns,
        ...times.map(({ column }) => sqlText(column)),
      ].map((column, at, all) => `${column}${comma(at, all)}`),
      source: insertSource(resource, values, times),
      untaken: freeConditions(resource, ` and ${idMatch(id, "<>")}`).map(
        (condition) => `and ${condition}`,
      ),
      assigned: assignments(
        resource,
        columns.map((column, at) => `${column} = ${values[at]}`),
      ),
      delete: deleteMember(resource),
      deleted: deletedMember(resource),
    }),
  };
}

function sqlText(name: string): string {
  return templateText(sqlIdentifier(name));
}

/** The parameters of the fields' values, which begin at `$2`. */
function valuesOf(resource: Resource, stored: StoredColumns): readonly string[] {
  return writtenColumns(resource).map((field, at) => {
    const timezone = zoneOf(field);
    if (timezone !== null) return localOf(`$${at + 2}::timestamptz`, timezone);
    const cast = castOf(field, stored.get(field.column));
    return cast === undefined ? `$${at + 2}` : `$${at + 2}::${templateText(cast)}`;
  });
}

/** Returns SQL that converts a timestamp to the form stored in a column without a time zone. */
function localOf(moment: string, timezone: string | null): string {
  return momentSql(moment, timezone);
}

/** Returns the assignments of `replace`, including the time of the change. */
function assignments({ times, zones, id }: Resource, values: readonly string[]): readonly string[] {
  const updatedAt = times.updatedAt === null ? null : sqlText(times.updatedAt);
  const assigned = [
    ...values,
    ...(updatedAt === null ? [] : [changed(updatedAt, zones.updatedAt)]),
  ];
  const all = assigned.length === 0 ? [`${sqlText(id.column)} = ${sqlText(id.column)}`] : assigned;
  return all.map((one, at) => `${one}${comma(at, all)}`);
}

function changed(updatedAt: string, timezone: string | null): string {
  const former = localOf(updatedAt, timezone);
  const moment = `greatest(now(), ${former} + interval '1 millisecond')`;
  return `${updatedAt} = ${localOf(moment, timezone)}`;
}

function comma(at: number, all: readonly unknown[]): string {
  return at < all.length - 1 ? "," : "";
}

/**
 * Returns SQL for the new row; no row if another visible one has one of its unique values. An error from the unique
 * index itself thus means that two requests raced.
 */
function insertSource(
  resource: Resource,
  parameters: readonly string[],
  times: ReturnType<typeof setTimes>,
): string[] {
  const { id, table } = resource;
  const given = isMade(id) ? [] : [idValue(id)];
  const now = times.map(({ timezone }) => localOf("now()", timezone));
  const values = [...given, ...parameters, ...now];
  const taken = `select from ${templateText(sqlTable(table))} where ${sqlText(id.column)} = ${idValue(id)}`;
  const conditions = [
    // PostgreSQL rejects a parameter that the statement does not use.
    ...(isMade(id) ? ["$1::text is null"] : []),
    ...(id.given ? [`not exists (${taken})`] : []),
    ...freeConditions(resource, ""),
    rowPlace,
  ];
  const [first, ...others] = conditions;
  return [
    `select ${values.join(", ")}`,
    `where ${first}`,
    ...others.map((other) => `  and ${other}`),
  ];
}

/** Returns the id as a value to store. The column may have a smaller type, which PostgreSQL could not infer. */
function idValue({ type }: RecordId): string {
  return type === "uuid" ? "$1" : `$1::${idForms[type].sqlType}`;
}

/** Whether the database generates the id. */
function isMade({ type, given }: RecordId): boolean {
  return type !== "uuid" && !given;
}

function getFunction({ table, id }: Resource, version: string) {
  const name = templateText(sqlTable(table));
  const text = `select ${recordPlace} as json, ${version} as version from ${name} where ${idMatch(id)} and ${rowPlace}`;
  return arrow("{ record, row }", `\`${text}\``);
}

/** Placeholders for the parameters of the emitted functions. */
const recordPlace = place("record");
const rowPlace = place("row");
