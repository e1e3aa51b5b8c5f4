import type { Problem } from "../../runtime/values/problem.js";
import { applyChange, tableOf } from "../../runtime/values/schema/change.js";
import type { Change } from "../../runtime/values/schema/change-kinds.js";
import { indexDefinition } from "../../runtime/values/schema/definitions.js";
import { indexName } from "../../runtime/values/schema/object-names.js";
import type { Column, Index, Schema, Table } from "../../runtime/values/schema/schema.js";
import { sqlIdentifier } from "../../runtime/values/sql/text.js";
import type { Descriptor } from "../descriptor/descriptor.js";
import { problemOf } from "../descriptor/source.js";
import type { Model, Resource } from "../model/model.js";
import { isOfAdopted } from "../schema/changes/adopted.js";
import { addLink, alterTable } from "../schema/sql/table.js";
import { timeZoneProblems } from "./time-zones.js";

interface Adopting {
  readonly model: Model;
  readonly before: Schema;
  readonly after: Schema;
  readonly changes: readonly Change[];
}

/** Returns problems with properties that descriptors declare but adopted tables lack. */
export function adoptedProblems(
  descriptors: readonly Descriptor[],
  adopting: Adopting,
): readonly Problem[] {
  const { model, after } = adopting;
  return [...missingParts(descriptors, adopting), ...timeZoneProblems(descriptors, model, after)];
}

/**
 * Returns a problem for each column, unique index, index or foreign key that an adopted table lacks, because migrations
 * do not change adopted tables.
 */
function missingParts(
  descriptors: readonly Descriptor[],
  { model, before, changes }: Adopting,
): readonly Problem[] {
  let schema = before;
  return changes.flatMap((change) => {
    const now = schema;
    schema = applyChange(schema, change);
    if (change.kind === "createTable" || !isOfAdopted(now, change)) return [];
    const table = now.tables.find(({ name }) => name === tableOf(change));
    const resource = model.resources.find(({ name }) => name === table?.resource);
    const source = descriptors.find(({ name }) => name === table?.resource)?.source;
    if (table === undefined || resource === undefined || source === undefined) return [];
    const missing = missingPart({ table, resource }, change);
    if (missing === null) return [];
    const hint = `${missing.statement}, and then: npx service adopt --update`;
    const { path, message } = missing;
    return [problemOf(source, { path, at: "key", message, hint })];
  });
}

interface Missing {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The SQL that creates the missing part. */
  readonly statement: string;
}

interface Changed {
  readonly table: Table;
  readonly resource: Resource;
}

function missingPart(changed: Changed, change: Change): Missing | null {
  const { table } = changed;
  switch (change.kind) {
    case "addColumn":
      return missingColumn(table, change.column) ?? missingLink(table, change.column);
    case "setLink": {
      const column = table.columns.find(({ name }) => name === change.column);
      return column === undefined ? null : missingLink(table, { ...column, link: change.to });
    }
    case "replaceColumn":
      return change.from.link === null ? missingLink(table, change.column) : null;
    case "createIndex":
      return missingIndex(changed, change.index);
    default:
      return null;
  }
}

function missingColumn(
  { name: table, adopted = [] }: Table,
  { name, field, type }: Column,
): Missing | null {
  if (field === null || adopted.some((one) => one.name === name)) return null;
  const message = `the column of "${field}" is ${name}, which ${table} did not have when it was adopted`;
  const statement = alterTable(table, `add column ${sqlIdentifier(name)} ${type}`);
  return { path: ["fields", field], message, statement: withoutEnd(statement) };
}

function missingLink({ name: table }: Table, { name, field, link }: Column): Missing | null {
  if (field === null || link === null) return null;
  const message = `"${field}" needs a foreign key, which ${table} did not have when it was adopted`;
  const statement = addLink(table, name, link);
  return { path: ["fields", field], message, statement: withoutEnd(statement) };
}

/** Returns a missing index if it is unique or the descriptor requires it; others only make queries faster. */
function missingIndex({ table, resource }: Changed, index: Index): Missing | null {
  const columns = index.keys.map(({ column }) => column);
  const own = resource.stored.find(({ column }) => column === columns[0]);
  const list = resource.indexes.findIndex(
    (fields) => fields.map(({ column }) => column).join() === columns.join(),
  );
  const isWanted = index.keys.some(({ order }) => order === "contained" || order === "elements");
  if (!index.unique && list < 0 && !isWanted) return null;
  const isSingle = columns.length === 1 && own !== undefined;
  const path = isSingle ? ["fields", own.name] : index.unique ? ["unique"] : ["indexes", list];
  const what = index.unique ? "a unique index" : "an index";
  const message = `${what} on ${columns.join(", ")} is missing: ${table.name} did not have it when it was adopted`;
  const name = indexName(table.name, index);
  const definition = indexDefinition({ name, table: table.name, index }, "concurrently ");
  return { path, message, statement: withoutEnd(`create ${definition}`) };
}

/** Returns the statement on one line, without its semicolon. */
function withoutEnd(statement: string): string {
  return statement.replace(/\s+/g, " ").replace(/;$/, "");
}
