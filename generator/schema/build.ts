import { kindOf } from "../kind/kinds.js";
import type { Field, Model, Resource } from "../model/model.js";
import { sqlLiteral } from "../text/sql.js";
import type { Column, Index, Key, Link, Schema, Table } from "./schema.js";
import { countsOf, tallied } from "./tally.js";

/** The tables that a model needs. */
export function buildSchema(model: Model): Schema {
  const tables = model.resources.map(buildTable);
  return { tables: tables.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}

function buildTable({ name: resource, table, fields }: Resource): Table {
  return {
    name: table,
    resource,
    columns: [
      { ...ownColumn, name: "id", type: "uuid", default: null },
      ...fields.map(column),
      { ...ownColumn, name: "created_at", type: timestampType, default: "now()" },
      { ...ownColumn, name: "updated_at", type: timestampType, default: "now()" },
    ],
    indexes: [
      ...fields.flatMap(indexes),
      ...tallied(fields).flatMap((field) => (isUnique(field) ? [] : [listIndex(field)])),
      { unique: false, keys: newestFirst },
    ],
    counts: countsOf(fields),
    search: fields.filter(({ kind }) => kind === "string").map((field) => field.column),
  };
}

const timestampType = "timestamptz(3)";

/** What the columns have in common that every table has. */
const ownColumn = { field: null, kind: null, required: true, check: null, link: null };

/** The order of a list that asks for none. */
const newestFirst: readonly Key[] = [
  { column: "created_at", order: "desc" },
  { column: "id", order: "desc" },
];

function column(field: Field): Column {
  return {
    name: field.column,
    field: field.name,
    kind: field.kind,
    ...kindOf(field).sql(field),
    required: field.required,
    default: defaultOf(field),
    link: linkOf(field),
  };
}

function defaultOf(field: Field): string | null {
  if (!("default" in field) || field.default === null) return null;
  return typeof field.default === "string" ? sqlLiteral(field.default) : String(field.default);
}

function linkOf(field: Field): Link | null {
  if (field.kind === "belongsTo") {
    const { schema, table } = field.target;
    return { schema, table, column: "id", onDelete: field.required ? "no action" : "set null" };
  }
  if (field.kind !== "image" && field.kind !== "file") return null;
  return { schema: "service", table: "uploads", column: "key", onDelete: "no action" };
}

function indexes(field: Field): Index[] {
  if (isUnique(field)) return [uniqueIndex(field)];
  if (field.kind === "belongsTo") return [listIndex(field)];
  if (field.kind !== "image" && field.kind !== "file") return [];
  return [{ unique: false, keys: [{ column: field.column, order: "asc" }] }];
}

export function uniqueIndex(field: Field): Index {
  const order = isUniqueByDigest(field) ? "digest" : "asc";
  return { unique: true, keys: [{ column: field.column, order }] };
}

function isUnique(field: Field): boolean {
  return "unique" in field && field.unique;
}

/**
 * Answers a list filtered by the field with its newest records, however rare the value is (measured
 * at a million rows: 0.1 ms against 150 ms where the newest hold other values). An index to sort by
 * would cost every write as much and serve one order; only the values of a few kinds of field are
 * listed by.
 */
function listIndex({ column }: Field): Index {
  return { unique: false, keys: [{ column, order: "asc" }, ...newestFirst] };
}

/** Bytes; PostgreSQL refuses a longer key in a B-tree page (a third of it, less overhead). */
const maxIndexKey = 2600;

/** A text that may be too long for an index is kept unique by its digest. */
export function isUniqueByDigest(field: Field): boolean {
  return field.kind === "string" && field.unique && field.maxLength * 4 > maxIndexKey;
}
