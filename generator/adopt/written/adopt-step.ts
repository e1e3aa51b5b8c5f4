import type { Step } from "../../schema/sql/step.js";
import type { Creation } from "../catalogue/creation.js";
import type { Existing } from "../existing.js";
import { type Adoption, type ReportLine, shownName } from "../model/adoption.js";
import { inComment, sentenceOf } from "./comment.js";

/** The step that creates the adopted tables, as they are now, in a database that has none of them. */
export function adoptStep(
  { tables, report }: Adoption,
  creation: readonly Creation[],
  existing: Existing,
): Extract<Step, { readonly kind: "adopt" }> {
  const names = new Set(tables.map(({ table }) => shownName(table)));
  const others = new Set([
    "service.users",
    ...[...existing.tables].map((name) => `public.${name}`),
  ]);
  const isThere = ({ target }: Creation) =>
    target === null || names.has(target) || others.has(target);
  const left = creation.filter((one) => !isThere(one));
  const comments = [
    ...report.filter(({ table }) => !names.has(table)).map(refusedComment),
    ...left.map(({ statement }) => comment(`left out, as its target is not adopted: ${statement}`)),
  ];
  return {
    kind: "adopt",
    tables: tables.map(({ table }) => table.name),
    statements: [
      ...(comments.length === 0 ? [] : [comments.join("\n")]),
      "set local check_function_bodies to off;",
      ...creation.filter(isThere).map(withoutDirectives),
    ],
  };
}

/** A comment in the body of a function must not begin a step of the migration. */
function withoutDirectives({ statement }: Creation): string {
  return statement.replace(/^-- @/gm, " -- @");
}

function refusedComment(line: ReportLine): string {
  return comment(`not adopted: ${line.table}: ${sentenceOf(line)}`);
}

function comment(text: string): string {
  return `-- ${inComment(text)}`;
}
