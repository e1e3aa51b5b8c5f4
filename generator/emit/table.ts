import { type Field, isFile, kindOf } from "../kind/kinds.js";
import type { Resource } from "../model/model.js";
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
} from "../text/typescript.js";
import { dependants, inSentence } from "./deletion.js";
import { type EmittedFile, preamble, resourceFile, runtimeTypes } from "./file.js";
import { uniqueRule, uniquesLiteral } from "./uniques.js";

/** `table.ts`: what the runtime needs to build lists, totals, PATCH statements and refusals. */
export function emitTable(resource: Resource): EmittedFile {
  const { type, variable, collection } = resource;
  return {
    path: resourceFile(resource, "table"),
    text: render("generated/table.ts", {
      preamble: preamble(resource, [
        runtimeTypes(["Table"]),
        { from: "./queries.js", names: [`${variable}Queries`] },
        { from: "./types.js", names: [`${type}Values as Values`], typeOnly: true },
      ]),
      collection,
      variable,
      resource: stringLiteral(resource.name),
      singular: stringLiteral(inSentence(resource.singular)),
      name: stringLiteral(sqlIdentifier(resource.table)),
      tally: stringLiteral(`service.${sqlIdentifier(tallyName(resource.table))}`),
      search: print(property("search", array(searched(resource))), { indent: 2, reserved: 1 }),
      columns: print(property("columns", columnsLiteral(resource)), { indent: 2, reserved: 1 }),
      uniques: uniquesLiteral(resource).map((uniques) =>
        print(property("uniques", uniques), { indent: 2, reserved: 1 }),
      ),
      dependants: print(property("dependants", dependants(resource)), { indent: 2, reserved: 1 }),
    }),
  };
}

function searched({ fields }: Resource): Layout[] {
  return fields
    .filter((field) => kindOf(field).isSearched)
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
  const { kind, ...more } = kindOf(field).runtimeColumn(field);
  return {
    name: sqlIdentifier(field.column),
    kind: kind ?? field.kind,
    required: field.required,
    ...more,
    ...uniqueRule(table, field),
    ...linkLiteral(resource, table, field),
  };
}

function linkLiteral(resource: string, table: string, field: Field): { link?: Literal } {
  const link = kindOf(field).link(field);
  if (link === null) return {};
  const target =
    link.schema === "public"
      ? sqlIdentifier(link.table)
      : `${link.schema}.${sqlIdentifier(link.table)}`;
  const own = isFile(field)
    ? ` and resource = ${sqlLiteral(resource)} and field = ${sqlLiteral(field.name)}`
    : "";
  const match = `exists (select from ${target} where ${link.column} = $1${own})`;
  return { link: { constraint: linkName(table, field.column), match } };
}
