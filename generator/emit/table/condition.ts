import { jsonTestSql } from "../../../runtime/values/json-condition/sql.js";
import { sqlTable } from "../../../runtime/values/sql/table-name.js";
import { sqlIdentifier, sqlList, sqlLiteral } from "../../../runtime/values/sql/text.js";
import { momentSql } from "../../model/column-sql.js";
import type { Operand, Predicate } from "../../model/condition.js";
import type { Layout } from "../../text/layout.js";
import { arrow, place, templateText } from "../../text/typescript.js";

/**
 * Returns a function that returns SQL. It is true if the row satisfies the condition for the account; otherwise it may
 * be null, which `where` treats as false.
 */
export function conditionFunction(predicate: Predicate): Layout {
  const sql = sqlOf(predicate, { row: place("row"), depth: 0 });
  const parameters = sql.includes(account)
    ? "row, account"
    : sql.includes(place("row"))
      ? "row"
      : "";
  return arrow(parameters, `\`${sql}\``);
}

const account = place("account()");

/** The row that a predicate applies to, as text of a template literal. */
interface Scope {
  readonly row: string;
  readonly depth: number;
}

function sqlOf(predicate: Predicate, scope: Scope): string {
  const columnOf = (column: string) => `${scope.row}.${templateText(sqlIdentifier(column))}`;
  switch (predicate.kind) {
    case "all":
      return joined(predicate.parts, { word: "and", none: "true" }, scope);
    case "any":
      return joined(predicate.parts, { word: "or", none: "false" }, scope);
    case "not":
      return `(${sqlOf(predicate.part, scope)}) is not true`;
    case "empty":
      return `${columnOf(predicate.column)} ${predicate.isList === true ? "= '{}'" : "is null"}`;
    case "compared": {
      const { column, operator, value, timezone = null } = predicate;
      return `${momentOf(columnOf(column), timezone)} ${operator} ${operandOf(value)}`;
    }
    case "oneOf": {
      const { column, values, timezone = null } = predicate;
      if (values.length === 0) return "false";
      return `${momentOf(columnOf(column), timezone)} in (${values.map(operandOf).join(", ")})`;
    }
    case "hasAny":
      return `${columnOf(predicate.column)} && ${listOf(predicate.values)}`;
    case "hasAll":
      return `${columnOf(predicate.column)} @> ${listOf(predicate.values)}`;
    case "like": {
      const { column, pattern } = predicate;
      const folded = `service.fold_text(${templateText(sqlLiteral(pattern))})`;
      return `service.fold_text(${columnOf(column)}) like ${folded}`;
    }
    case "members":
      return jsonTestSql(predicate.test, columnOf(predicate.column), literalOf);
    case "linked": {
      const { column, to, part } = predicate;
      const row = `_where${scope.depth + 1}`;
      const table =
        to.schema === "public" ? sqlTable(to.table) : `${to.schema}.${sqlIdentifier(to.table)}`;
      const found = `${row}.${templateText(sqlIdentifier(to.id))} = ${columnOf(column)} and ${sqlOf(part, { row, depth: scope.depth + 1 })}`;
      return `exists (select from ${templateText(table)} as ${row} where ${found})`;
    }
    default:
      return predicate satisfies never;
  }
}

function literalOf(value: string | readonly string[], type: string): string {
  if (typeof value === "string") return `${templateText(sqlLiteral(value))}::${type}`;
  return `array[${value.map((one) => templateText(sqlLiteral(one))).join(", ")}]::${type}`;
}

/** Returns a column as predicates compare it, as text of a template literal. */
function momentOf(column: string, timezone: string | null): string {
  return timezone === null ? column : momentSql(column, templateText(timezone));
}

interface Junction {
  readonly word: "and" | "or";
  /** The SQL of an `and` or `or` without parts. */
  readonly none: "true" | "false";
}

function joined(parts: readonly Predicate[], { word, none }: Junction, scope: Scope): string {
  if (parts.length === 0) return none;
  return `(${parts.map((part) => sqlOf(part, scope)).join(` ${word} `)})`;
}

/** Returns an SQL array of the values, which have the type of the list's elements. */
function listOf(values: readonly Operand[]): string {
  const texts = values.flatMap((value) => ("text" in value ? [value.text] : []));
  if (texts.length === values.length) return templateText(sqlList(texts));
  return `array[${values.map(operandOf).join(", ")}]`;
}

function operandOf(operand: Operand): string {
  if ("text" in operand) return templateText(sqlLiteral(operand.text));
  switch (operand.word) {
    case "now":
      return "now()";
    case "today":
      return "(now() at time zone 'UTC')::date";
    case "account":
      return account;
    default:
      return operand.word satisfies never;
  }
}
