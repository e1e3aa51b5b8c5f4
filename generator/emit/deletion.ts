import type { Dependants, Resource } from "../model/model.js";
import { shortened } from "../model/names.js";
import { type Layout, print } from "../text/layout.js";
import { sqlIdentifier } from "../text/sql.js";
import { literal, property, stringLiteral } from "../text/typescript.js";

/**
 * The lines of `delete`. Everything that cascades is deleted by the same statement, so that a link that
 * refuses the delete is checked when all of it is deleted, in whichever order the links were made. The
 * record is locked first; rows added since the statement began are deleted by the foreign keys.
 */
export function deleteMember({ table, deletion }: Resource): readonly string[] {
  const own = sqlIdentifier(table);
  if (deletion.cascades.length === 0) {
    const statement = stringLiteral(`delete from ${own} where id = $1 returning id`);
    return [print([property("delete", statement), ","], { indent: 2 })];
  }
  const parts = deletion.cascades.map((dependants) =>
    withPart(dependants.table, [
      `delete from ${sqlIdentifier(dependants.table)}`,
      ...deletedMatch(dependants, parentIn),
      "returning id",
    ]),
  );
  return [
    "delete: `",
    ...withClause([withPart(table, [`select id from ${own} where id = $1 for update`]), ...parts]),
    `  delete from ${own} where id in (${parentIn(table)}) returning id\`,`,
  ];
}

/** The lines of `deleted`; none where a delete does not cascade. */
export function deletedMember({ table: own, deletion }: Resource): readonly string[] {
  if (deletion.cascades.length === 0) return [];
  const parts = deletion.cascades.map((dependants) =>
    withPart(dependants.table, [
      `select id from ${sqlIdentifier(dependants.table)}`,
      ...deletedMatch(dependants, parentOf(own)),
    ]),
  );
  const lines = withClause(parts);
  return ["deleted: `", ...lines.slice(0, -1), `${lines.at(-1)}\`,`];
}

/** The value of `dependants`. */
export function dependants({ table: own, deletion }: Resource): Layout {
  return literal(
    deletion.refusals.map((refusal) => {
      const { table, label, singular, links } = refusal;
      const parent = parentOf(own);
      const belongs = links.map(({ column, target }) => linkMatch(column, parent(target)));
      const isDeleted = deletion.cascades.some((cascade) => cascade.table === table);
      const stays = `id not in (${parentIn(table)})`;
      return {
        table: sqlIdentifier(table),
        match: isDeleted ? `(${belongs.join(" or ")}) and ${stays}` : belongs.join(" or "),
        plural: inSentence(label),
        singular: inSentence(singular),
      };
    }),
  );
}

/** Finds the rows that belong to what is deleted; `parent` is SQL for the ids of a table. */
function deletedMatch(
  { table, links }: Dependants,
  parent: (target: string) => string,
): readonly string[] {
  const matches = links.map(({ column, target }) => linkMatch(column, parent(target)));
  if (matches.length === 1) return matches.map((match) => `where ${match}`);
  // Each link uses its own index.
  const found = matches.map((match) => `  select id from ${sqlIdentifier(table)} where ${match}`);
  return [
    "where id in (",
    ...found.flatMap((one, at) => (at === 0 ? [one] : ["  union all", one])),
    ")",
  ];
}

function linkMatch(column: string, parent: string): string {
  const name = sqlIdentifier(column);
  return parent === "$1" ? `${name} = $1` : `${name} in (${parent})`;
}

function parentOf(own: string) {
  return (target: string): string => (target === own ? "$1" : parentIn(target));
}

function parentIn(target: string): string {
  return `select id from ${partName(target)}`;
}

function withClause(parts: readonly (readonly string[])[]): readonly string[] {
  return parts.flatMap(([name, ...lines], at) => [
    `  ${at === 0 ? "with " : ""}${name} (`,
    ...lines.map((line) => `    ${line}`),
    at === parts.length - 1 ? "  )" : "  ),",
  ]);
}

function withPart(table: string, lines: readonly string[]): readonly string[] {
  return [`${partName(table)} as`, ...lines];
}

/** The name of a query's part; no table's name begins with an underscore. */
function partName(table: string): string {
  return sqlIdentifier(shortened(`_${table}`));
}

/** "Order items" → "order items"; a word in capitals stays as it is. */
export function inSentence(words: string): string {
  const [first = "", second = ""] = words;
  return second !== "" && second === second.toUpperCase() && second !== second.toLowerCase()
    ? words
    : first.toLowerCase() + words.slice(first.length);
}
