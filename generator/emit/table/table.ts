import { countName, entriesName, linkName } from "../../../runtime/values/schema/object-names.js";
import { timeNames } from "../../../runtime/values/schema/record-times.js";
import type { Count, Link } from "../../../runtime/values/schema/schema.js";
import { sqlTable } from "../../../runtime/values/sql/table-name.js";
import { sqlIdentifier, sqlLiteral } from "../../../runtime/values/sql/text.js";
import { type Field, isFile, kindOf } from "../../kind/kinds.js";
import { type StoredColumns, storedIn } from "../../model/adopted.js";
import { isUnique, type Model, type Resource } from "../../model/model.js";
import { countsOf } from "../../schema/tables/tally.js";
import { type Layout, print } from "../../text/layout.js";
import { render } from "../../text/templates.js";
import {
  arrow,
  type Literal,
  literal,
  object,
  property,
  stringLiteral,
  tallObject,
  templateText,
} from "../../text/typescript.js";
import { dependants, inSentence } from "../deletion.js";
import { type EmittedFile, preamble, resourceFile, runtimeTypes } from "../file.js";
import { uniqueRule, uniquesLiteral, valuePlace } from "../uniques.js";
import { accessProperty, ruleLayout } from "./access.js";
import { columnLiteral, ruleWords, targetSql, timeLiteral } from "./column.js";
import { idLiteral } from "./id.js";
import { foundersProperty, foundingShape, ownerProperty } from "./owner.js";
import { pathsProperty } from "./paths.js";
import { relatedTables } from "./related.js";
import { tallySql } from "./tally.js";
import { trashProperty } from "./trash.js";
import { wordsProperty } from "./words.js";

/** Emits `table.ts`: the data from which the runtime builds lists, totals, PATCH statements and refusals. */
export function emitTable(resource: Resource, model: Model): EmittedFile {
  const { type, variable, collection, access } = resource;
  const related = relatedTables(resource, model);
  return {
    path: resourceFile(resource, "table"),
    text: render("generated/table.ts", {
      preamble: preamble(resource, [
        runtimeTypes(["Table"]),
        { from: "./queries.js", names: [`${variable}Queries`] },
        {
          from: "./types.js",
          names: [`${type}Types as Types`, `${type}Values as Values`],
          typeOnly: true,
        },
        ...related.imports,
        ...foundingShape(resource, model),
      ]),
      collection,
      variable,
      resource: stringLiteral(resource.name),
      singular: stringLiteral(inSentence(resource.singular)),
      name: stringLiteral(sqlTable(resource.table)),
      tally: stringLiteral(tallySql(resource)),
      columns: print(property("columns", columnsLiteral(resource, storedIn(model, resource))), {
        indent: 2,
        reserved: 1,
      }),
      uniques: uniquesLiteral(resource).map((uniques) =>
        print(property("uniques", uniques), { indent: 2, reserved: 1 }),
      ),
      access: print(accessProperty(access), { indent: 2, reserved: 1 }),
      owner: [
        ...ownerProperty(resource, model, related.names),
        ...foundersProperty(resource, model),
      ].map((one) => print(one, { indent: 2, reserved: 1 })),
      cache:
        resource.cache === null
          ? []
          : [print(property("cache", literal(resource.cache)), { indent: 2, reserved: 1 })],
      changes: [
        ...(model.adopted?.has(resource.table) ? [property("adopted", literal(true))] : []),
        ...(model.unversioned?.has(resource.table) ? [property("unversioned", literal(true))] : []),
        ...changesProperty(resource),
        ...pathsProperty(resource, model),
        ...trashProperty(resource, model, related.names),
        ...wordsProperty(resource, related.names),
      ].map((one) => print(one, { indent: 2, reserved: 1 })),
      related: related.properties.map((one) => print(one, { indent: 2, reserved: 1 })),
      dependants: print(property("dependants", dependants(resource)), { indent: 2, reserved: 1 }),
    }),
  };
}

/** Returns how long changes of the records are kept, if they are logged. */
function changesProperty({ changes }: Resource): readonly Layout[] {
  if (changes === null) return [];
  const { history, access } = changes;
  const rule = access === null ? [] : [property("access", ruleLayout(access))];
  return [property("changes", object([property("history", literal(history)), ...rule]))];
}

function columnsLiteral(resource: Resource, stored: StoredColumns): Layout {
  const { fields } = resource;
  const counts = countsOf(resource).filter(({ value }) => value !== null);
  return tallObject([
    property("id", literal(idLiteral(resource.id))),
    ...fields.map((field) =>
      property(
        field.name,
        object([
          ...properties(columnLiteral(field, fields, stored.get(field.column))),
          ...uniqueRule(resource, field),
          ...properties(rulesLiteral(field)),
          ...linkProperty(resource, field),
          ...entriesProperty(resource, field),
          ...properties(indexedLiteral(resource, field)),
          ...properties(countsLiteral(counts, field)),
        ]),
      ),
    ),
    ...timeNames.map((name) => {
      const column = resource.times[name];
      const time = timeLiteral(column, resource.zones[name], stored.get(column ?? ""));
      return property(name, literal(time));
    }),
  ]);
}

function properties(values: Readonly<Record<string, Literal>>): Layout[] {
  return Object.entries(values).map(([key, value]) => property(key, literal(value)));
}

/** The tally's columns for the counted values of a field. */
function countsLiteral(counts: readonly Count[], { column }: Field): Record<string, Literal> {
  const own = counts.filter((count) => count.column === column);
  return own.length === 0 ? {} : { counts: own.map((count) => sqlIdentifier(countName(count))) };
}

/** Marks an optional field that only has descending indexes: scanned backwards, they put nulls first. */
function indexedLiteral({ indexes }: Resource, field: Field): Record<string, Literal> {
  const own = indexes.flatMap(([first]) => (first?.name === field.name ? [first] : []));
  const isDescending = own.length > 0 && own.every(({ descending }) => descending);
  return isDescending && !field.required && !isUnique(field) ? { isDescending: true } : {};
}

/** Returns the rules for reading and writing the field, if they are stricter than the record's. */
function rulesLiteral({ access: { read, write } }: Field): Record<string, Literal> {
  return {
    ...(read !== "signed-in" && { read: ruleWords(read) }),
    ...(write !== "signed-in" && { write: ruleWords(write) }),
  };
}

/** The table of a list's entries, and the table that they refer to. */
function entriesProperty(resource: Named, field: Field): Layout[] {
  const to = kindOf(field).entries(field);
  if (to === null) return [];
  const entries = entriesName(resource.table, field.column);
  const value = {
    table: sqlIdentifier(entries),
    constraint: linkName(entries, "target_id"),
    target: targetSql(to),
  };
  const match =
    to.column === undefined ? [] : [matchProperty(resource, field, { ...to, column: to.column })];
  return [property("entries", object([...properties(value), ...match]))];
}

function linkProperty(resource: Named, field: Field): Layout[] {
  const link = kindOf(field).link(field);
  if (link === null) return [];
  const constraint = property("constraint", stringLiteral(linkName(resource.table, field.column)));
  return [property("link", object([constraint, matchProperty(resource, field, link)]))];
}

/** Returns `match`: whether a value refers to a row of the target. A file must have been uploaded to the field. */
function matchProperty({ name }: Named, field: Field, to: Target): Layout {
  const own = isFile(field)
    ? ` and resource = ${sqlLiteral(name)} and field = ${sqlLiteral(field.name)}`
    : "";
  const found = `select from ${templateText(targetSql(to))} where ${templateText(sqlIdentifier(to.column))} = ${valuePlace}${templateText(own)}`;
  return property("match", arrow("parameter", `\`exists (${found})\``));
}

type Named = Pick<Resource, "name" | "table">;
type Target = Pick<Link, "schema" | "table" | "column">;
