import type { BelongsToField, Field, Resource } from "../model/model.js";
import { isUniqueByDigest } from "../schema/build.js";
import { linkName, uniqueIndexName } from "../schema/object-names.js";
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
import { type EmittedFile, preamble, resourceFile, runtimeTypes } from "./file.js";

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
      delete: print(property("delete", stringLiteral(deleteStatement(resource))), {
        indent: 2,
        reserved: 1,
      }),
      selected: selectedColumns(resource).map(templateText),
      inserted: ["id", ...columns].map((column, at, all) => `${column}${comma(at, all)}`),
      parameters: ["id", ...columns].map((_, at) => `$${at + 1}`).join(", "),
      assigned: columns.map((column, at) => `${column} = $${at + 2},`),
      values: print(["values: ", valuesFunction(resource), ","], { indent: 2 }),
      columns: print(property("columns", columnsLiteral(resource)), { indent: 2, reserved: 1 }),
      dependants: print(property("dependants", dependants(resource)), { indent: 2, reserved: 1 }),
    }),
  };
}

function deleteStatement({ table }: Resource): string {
  return `delete from ${sqlIdentifier(table)} where id = $1 returning id`;
}

function comma(at: number, all: readonly unknown[]): string {
  return at < all.length - 1 ? "," : "";
}

/** One line a member of the record, in the record's order. */
function selectedColumns({ table, fields }: Resource): string[] {
  const lines = [
    "id",
    ...fields.flatMap((field) => selected(table, field)),
    `${isoTime("created_at")} as "createdAt"`,
    `${isoTime("updated_at")} as "updatedAt"`,
  ];
  return lines.map((line, at) => `${line}${comma(at, lines)}`);
}

function selected(table: string, field: Field): string[] {
  const column = sqlIdentifier(field.column);
  const value = field.kind === "timestamp" ? isoTime(column) : column;
  const named = value === field.name ? value : `${value} as ${sqlIdentifier(field.name)}`;
  if (field.kind !== "image" && field.kind !== "file") return [named];
  const key = `${sqlIdentifier(table)}.${column}`;
  const details = `(select details from service.uploads as _upload where _upload.key = ${key})`;
  return [named, `${details} as ${sqlIdentifier(`${field.name}File`)}`];
}

/** `YYYY-MM-DDTHH:mm:ss.sssZ` */
function isoTime(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

function valuesFunction({ variable, fields }: Resource): Layout {
  if (fields.length === 0) return "() => []";
  const values = fields.map(({ name }) => `${variable}.${name}`);
  return [`(${variable}) => `, array(values)];
}

function columnsLiteral({ name, table, fields }: Resource): Layout {
  return tallObject([
    property("id", literal({ name: "id", kind: "id", required: true })),
    ...fields.map((field) => property(field.name, literal(columnLiteral(name, table, field)))),
    property("createdAt", literal({ name: "created_at", kind: "timestamp", required: true })),
    property("updatedAt", literal({ name: "updated_at", kind: "timestamp", required: true })),
  ]);
}

function columnLiteral(resource: string, table: string, field: Field): Literal {
  const column = sqlIdentifier(field.column);
  const kind = columnKind(field);
  return {
    name: column,
    kind,
    required: field.required,
    ...(field.kind === "enum" && { values: field.values }),
    ...("unique" in field &&
      field.unique && {
        unique: {
          index: uniqueIndexName(table, field.column),
          match: isUniqueByDigest(field)
            ? `md5(${column}) = md5($1) and ${column} = $1`
            : `${column} = $1`,
        },
      }),
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

function dependants({ dependants: all }: Resource): Layout {
  return literal(
    all
      .filter(({ required }) => required)
      .map(({ table, column, label, singular }) => ({
        table: sqlIdentifier(table),
        column: sqlIdentifier(column),
        plural: inSentence(label),
        singular: inSentence(singular),
      })),
  );
}

/** "Order items" → "order items"; a word in capitals stays as it is. */
function inSentence(words: string): string {
  const [first = "", second = ""] = words;
  return second !== "" && second === second.toUpperCase() && second !== second.toLowerCase()
    ? words
    : first.toLowerCase() + words.slice(first.length);
}
