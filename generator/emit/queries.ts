import { sqlIdentifier } from "../../runtime/values/sql/text.js";
import type { Resource } from "../model/model.js";
import { writtenFields } from "../model/needed.js";
import { namedTimes } from "../model/times.js";
import { print } from "../text/layout.js";
import { render } from "../text/templates.js";
import { arrow, place, property, templateText } from "../text/typescript.js";
import { deletedMember, deleteMember } from "./deletion.js";
import { type EmittedFile, preamble, resourceFile, runtimeTypes } from "./file.js";
import { freeConditions } from "./uniques.js";

/**
 * `queries.ts`: every statement on one record of the resource, whole, as functions of the parts
 * that depend on the caller.
 */
export function emitQueries(resource: Resource): EmittedFile {
  const table = templateText(sqlIdentifier(resource.table));
  const columns = writtenFields(resource).map(({ column }) => sqlText(column));
  const times = namedTimes(resource.times).map(sqlText);
  return {
    path: resourceFile(resource, "queries"),
    text: render("generated/queries.ts", {
      preamble: preamble(resource, [runtimeTypes(["Queries"])]),
      variable: resource.variable,
      table,
      get: print([property("get", getFunction(table)), ","], { indent: 2 }),
      inserted: ["id", ...columns, ...times].map((column, at, all) => `${column}${comma(at, all)}`),
      source: insertSource(resource),
      untaken: freeConditions(resource, " and id <> $1").map((condition) => `and ${condition}`),
      assigned: assignments(resource, columns),
      delete: deleteMember(resource),
      deleted: deletedMember(resource),
    }),
  };
}

function sqlText(name: string): string {
  return templateText(sqlIdentifier(name));
}

/** The values of `replace`, and the time of the change. */
function assignments({ times }: Resource, columns: readonly string[]): readonly string[] {
  const values = columns.map((column, at) => `${column} = $${at + 2}`);
  const updatedAt = times.updatedAt === null ? null : sqlText(times.updatedAt);
  const assigned = [
    ...values,
    ...(updatedAt === null
      ? []
      : [`${updatedAt} = greatest(now(), ${updatedAt} + interval '1 millisecond')`]),
  ];
  const all = assigned.length === 0 ? ["id = id"] : assigned;
  return all.map((one, at) => `${one}${comma(at, all)}`);
}

function comma(at: number, all: readonly unknown[]): string {
  return at < all.length - 1 ? "," : "";
}

/**
 * The source of the new row; empty if another visible row has one of its unique values. A refusal
 * by the unique index itself thus means that two requests raced.
 */
function insertSource(resource: Resource): string[] {
  const parameters = ["id", ...writtenFields(resource)].map((_, at) => `$${at + 1}`);
  const values = [...parameters, ...namedTimes(resource.times).map(() => "now()")].join(", ");
  const conditions = [...freeConditions(resource, ""), rowPlace];
  const [first, ...others] = conditions;
  return [`select ${values}`, `where ${first}`, ...others.map((other) => `  and ${other}`)];
}

function getFunction(table: string) {
  const text = `select ${recordPlace} as json, xmin::text as version from ${table} where id = $1 and ${rowPlace}`;
  return arrow("{ record, row }", `\`${text}\``);
}

/** The parameters of the emitted functions in their templates. */
const recordPlace = place("record");
const rowPlace = place("row");
