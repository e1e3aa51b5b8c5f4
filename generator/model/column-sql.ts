import { withColumns } from "../../runtime/values/schema/expression.js";
import { sqlIdentifier, sqlLiteral } from "../../runtime/values/sql/text.js";
import type { Field } from "../kind/kinds.js";

/** SQL of a field's value over one row of its table: a column's name, or an expression. */
export function columnSql(field: Field, fields: readonly Field[]): string {
  const { column, computed } = field;
  if (computed === null) return momentSql(sqlIdentifier(column), zoneOf(field));
  const columns = computed.reads.flatMap((name) => {
    const read = fields.find((one) => one.name === name);
    return read === undefined ? [] : [columnSql(read, [])];
  });
  return withColumns(computed.sql, columns);
}

/** The zone of a field whose times are stored without one; null for all others. */
export function zoneOf(field: Field): string | null {
  return "timezone" in field ? field.timezone : null;
}

/** SQL of the moment of a column's time in the zone; the column itself, given as SQL, if it has its zone. */
export function momentSql(column: string, timezone: string | null): string {
  return timezone === null ? column : `(${column} at time zone ${sqlLiteral(timezone)})`;
}
