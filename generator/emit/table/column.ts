import { type Rule, whoOf } from "../../../runtime/values/access-rule.js";
import type { AdoptedColumn } from "../../../runtime/values/schema/schema.js";
import { sqlTable } from "../../../runtime/values/sql/table-name.js";
import { sqlIdentifier } from "../../../runtime/values/sql/text.js";
import { type Field, isNullable, kindOf } from "../../kind/kinds.js";
import { throughOf } from "../../kind/list/links.js";
import { timestamp } from "../../kind/timestamp.js";
import { columnSql, momentSql, zoneOf } from "../../model/column-sql.js";
import type { Literal } from "../../text/typescript.js";

/** Returns the runtime's description of a field's column; `stored` is a column that existed before the app. */
export function columnLiteral(
  field: Field,
  fields: readonly Field[],
  stored: AdoptedColumn | undefined,
): Record<string, Literal> {
  const { kind, ...more } = kindOf(field).runtimeColumn(field, stored?.type);
  const cast = castOf(field, stored);
  return {
    name: columnSql(field, fields),
    ...localLiteral(field.column, zoneOf(field)),
    kind: kind ?? field.kind,
    required: stored === undefined ? !isNullable(field) : stored.required === true,
    ...more,
    ...(cast !== undefined && { cast }),
    ...(stored?.dangling && { dangling: true }),
    ...throughLiteral(field),
    ...(field.readOnly && { readOnly: true }),
    ...(field.columnDefault && { columnDefault: true }),
    ...(field.computed !== null && { computed: field.computed.reads }),
  };
}

/** Returns the join table in which the field's entries are stored, if it was adopted. */
function throughLiteral(field: Field): Record<string, Literal> {
  const through = throughOf(field);
  if (through === null || !("target" in field)) return {};
  const { table, record, target, id } = through;
  return {
    through: true,
    entries: {
      table: sqlTable(table),
      constraint: "",
      target: targetSql(field.target),
      columns: {
        key: sqlIdentifier(id.column),
        record: sqlIdentifier(record),
        target: sqlIdentifier(target),
        targetKey: sqlIdentifier(field.target.id.column),
      },
    },
  };
}

/** The table of records, or of accounts, as SQL. */
export function targetSql({
  schema,
  table,
}: {
  readonly schema: string;
  readonly table: string;
}): string {
  return schema === "public" ? sqlTable(table) : `${schema}.${sqlIdentifier(table)}`;
}

/** Returns the type to which statements cast values of an adopted column; undefined if PostgreSQL infers it. */
export function castOf(field: Field, stored: AdoptedColumn | undefined): string | undefined {
  if (stored === undefined) return undefined;
  const { link, sql } = kindOf(field);
  // The value of a link is also compared with ids.
  return link(field) === null ? stored.cast : sql(field).type.replace(/ .*/, "");
}

/** The literal of a field's access rule; rules of fields have no conditions. */
export function ruleWords(rule: Rule): Literal {
  return typeof rule === "string" ? rule : rule.map(whoOf);
}

/** Returns the column and the time zone of times that are stored without one. */
function localLiteral(column: string, timezone: string | null): Record<string, Literal> {
  return timezone === null ? {} : { local: { column: sqlIdentifier(column), timezone } };
}

/**
 * Returns the runtime's description of the column of `createdAt` or `updatedAt`; SQL null if the record lacks it.
 * `stored` is a column that existed before the app.
 */
export function timeLiteral(
  column: string | null,
  timezone: string | null,
  stored?: AdoptedColumn,
): Record<string, Literal> {
  const kind = timestamp.name;
  if (column === null) return { name: "null::timestamptz", kind, required: false, missing: true };
  const required = stored === undefined || stored.required === true;
  const name = momentSql(sqlIdentifier(column), timezone);
  return { name, ...localLiteral(column, timezone), kind, required };
}
