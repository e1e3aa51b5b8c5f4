import { type Rule, whoOf } from "../../../runtime/values/access-rule.js";
import { sqlIdentifier } from "../../../runtime/values/sql/text.js";
import { type Field, kindOf } from "../../kind/kinds.js";
import type { Literal } from "../../text/typescript.js";

/** The runtime's description of a field's column. */
export function columnLiteral(field: Field): Record<string, Literal> {
  const { kind, ...more } = kindOf(field).runtimeColumn(field);
  return {
    name: sqlIdentifier(field.column),
    kind: kind ?? field.kind,
    required: field.required,
    ...more,
  };
}

/** The rule of a field, which has no conditions. */
export function ruleWords(rule: Rule): Literal {
  return typeof rule === "string" ? rule : rule.map(whoOf);
}
