import { type Rule, whoOf } from "../../../runtime/values/access-rule.js";
import { sqlIdentifier } from "../../../runtime/values/sql/text.js";
import { type Field, isNullable, kindOf } from "../../kind/kinds.js";
import { timestamp } from "../../kind/timestamp.js";
import { columnSql } from "../../model/column-sql.js";
import type { Literal } from "../../text/typescript.js";

/** The runtime's description of a field's column. */
export function columnLiteral(field: Field, fields: readonly Field[]): Record<string, Literal> {
  const { kind, ...more } = kindOf(field).runtimeColumn(field);
  return {
    name: columnSql(field, fields),
    kind: kind ?? field.kind,
    required: !isNullable(field),
    ...more,
    ...(field.readOnly && { readOnly: true }),
    ...(field.columnDefault && { columnDefault: true }),
    ...(field.computed !== null && { computed: field.computed.reads }),
  };
}

/** The literal of a field's access rule; rules of fields have no conditions. */
export function ruleWords(rule: Rule): Literal {
  return typeof rule === "string" ? rule : rule.map(whoOf);
}

/** The runtime's description of the column of `createdAt` or `updatedAt`; SQL null if the record lacks it. */
export function timeLiteral(column: string | null): Record<string, Literal> {
  const kind = timestamp.name;
  return column === null
    ? { name: "null::timestamptz", kind, required: false, missing: true }
    : { name: sqlIdentifier(column), kind, required: true };
}
