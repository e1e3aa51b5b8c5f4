import { withColumns } from "../../runtime/values/schema/expression.js";
import { sqlIdentifier } from "../../runtime/values/sql/text.js";
import type { Field } from "../kind/kinds.js";

/** SQL of a field's value over one row of its table: a column's name, or an expression. */
export function columnSql({ column, computed }: Field, fields: readonly Field[]): string {
  if (computed === null) return sqlIdentifier(column);
  const columns = computed.reads.flatMap((name) => {
    const read = fields.find((one) => one.name === name);
    return read === undefined ? [] : [sqlIdentifier(read.column)];
  });
  return withColumns(computed.sql, columns);
}
