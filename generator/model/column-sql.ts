import { withColumns } from "../../runtime/values/schema/expression.js";
import { qualifiedTable } from "../../runtime/values/sql/table-name.js";
import { sqlIdentifier, sqlLiteral } from "../../runtime/values/sql/text.js";
import type { Field } from "../kind/kinds.js";
import { type Through, throughOf } from "../kind/list/links.js";

/** Returns SQL of a field's value in a row of its table: a column's name, or an expression. */
export function columnSql(field: Field, fields: readonly Field[]): string {
  const { column, computed } = field;
  const through = throughOf(field);
  if (through !== null) return linkedIds(through);
  if (computed === null) return momentSql(sqlIdentifier(column), zoneOf(field));
  const columns = computed.reads.flatMap((name) => {
    const read = fields.find((one) => one.name === name);
    return read === undefined ? [] : [columnSql(read, [])];
  });
  return withColumns(computed.sql, columns);
}

/**
 * Returns SQL of the ids of the linked records. The row's key is renamed, as both tables may have a column of that
 * name.
 */
function linkedIds({ table, record, target, id }: Through): string {
  const own = `(select ${sqlIdentifier(id.column)} as _key) as _own`;
  const [from, to] = [record, target].map((column) => `_through.${sqlIdentifier(column)}`);
  return `array(select ${to} from ${qualifiedTable(table)} as _through, ${own} where ${from} = _own._key order by ${to})`;
}

/** Returns the time zone of a field whose times are stored without one; null for all others. */
export function zoneOf(field: Field): string | null {
  return "timezone" in field ? field.timezone : null;
}

/**
 * Returns SQL that converts a column's local time in the zone to a timestamp; returns the column unchanged if
 * `timezone` is null.
 */
export function momentSql(column: string, timezone: string | null): string {
  return timezone === null ? column : `(${column} at time zone ${sqlLiteral(timezone)})`;
}
