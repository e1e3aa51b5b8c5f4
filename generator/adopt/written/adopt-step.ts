import { placeOfTable, spelledTable } from "../../../runtime/values/sql/table-name.js";
import type { Step } from "../../schema/sql/step.js";
import type { Creation } from "../catalogue/creation.js";
import type { Existing } from "../existing.js";
import { type Adoption, type ReportLine, shownName } from "../model/adoption.js";
import { inComment, sentenceOf } from "./comment.js";

/** Returns the step that creates the adopted tables, in their present form, in a database that lacks them. */
export function adoptStep(
  { tables: adopted, joins, report }: Adoption,
  creation: readonly Creation[],
  existing: Existing,
): Extract<Step, { readonly kind: "adopt" }> {
  const tables = [...adopted.map(({ table }) => table), ...joins];
  const described = new Set(adopted.map(({ table }) => shownName(table)));
  const { made, left } = possible(creation, existing);
  const comments = [
    ...report.filter(({ table }) => !described.has(table)).map(lineComment),
    ...left.map(({ statement }) =>
      comment(`omitted, because it needs a table or column that is not adopted: ${statement}`),
    ),
  ];
  return {
    kind: "adopt",
    tables: tables.map(spelledTable),
    statements: [
      ...(comments.length === 0 ? [] : [comments.join("\n")]),
      "set local check_function_bodies to off;",
      ...made.map(withoutDirectives),
    ],
  };
}

/**
 * Returns the statements whose required tables and views exist or are created by an earlier one, and those left out.
 */
function possible(creation: readonly Creation[], existing: Existing) {
  const there = new Set([
    "service.users",
    ...[...existing.tables].map((name) => shownName(placeOfTable(name))),
  ]);
  const made: Creation[] = [];
  const left: Creation[] = [];
  for (const one of creation) {
    const isPossible = one.needs.every((name) => there.has(name));
    (isPossible ? made : left).push(one);
    if (isPossible && one.creates !== null) there.add(one.creates);
  }
  return { made, left };
}

/** Prevents a comment in the body of a function from starting a step of the migration. */
function withoutDirectives({ statement }: Creation): string {
  return statement.replace(/^-- @/gm, " -- @");
}

function lineComment(line: ReportLine): string {
  const { table, column, taken } = line;
  const place = column === null ? table : `${table}.${column}`;
  return comment(`${taken === false ? "not adopted: " : ""}${place}: ${sentenceOf(line)}`);
}

function comment(text: string): string {
  return `-- ${inComment(text)}`;
}
