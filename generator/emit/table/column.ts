import { type Rule, whoOf } from "../../../runtime/values/access-rule.js";
import { type Field, isNullable, kindOf } from "../../kind/kinds.js";
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
    ...(field.computed !== null && { computed: field.computed.reads }),
  };
}

/** The rule of a field, which has no conditions. */
export function ruleWords(rule: Rule): Literal {
  return typeof rule === "string" ? rule : rule.map(whoOf);
}
