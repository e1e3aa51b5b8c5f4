import type { ChangeOf } from "../../../../runtime/values/schema/change-kinds.js";
import { searchDefinition } from "../../../../runtime/values/schema/definitions.js";
import {
  nextName,
  type SearchPart,
  searchParts,
} from "../../../../runtime/values/schema/object-names.js";
import type { Table } from "../../../../runtime/values/schema/schema.js";
import { sqlLiteral } from "../../../../runtime/values/sql/text.js";
import { type Step, transaction } from "../step.js";
import { call, dropIndexIfThere, renameIndexIfThere, textArray } from "../table.js";

/** The new indexes are built while searches still use the old ones. */
export function setSearch(
  { search: former }: Table,
  { table, to }: ChangeOf<"setSearch">,
): readonly Step[] {
  const [first, ...others] = searchParts(table, to);
  const built = to.length === 0 ? [] : [first, ...others];
  const names = [table, first.name].map(sqlLiteral);
  const columns = textArray(first.columns);
  const swap = call("change_search_index", ...names, columns, sqlLiteral(nextName(first.name)));
  return [
    ...built.map((part) => buildSearch(table, part, nextName(part.name))),
    transaction(table, [
      swap,
      ...searchParts(table, former)
        .slice(1)
        .map(({ name }) => dropIndexIfThere(name)),
      ...others.map(({ name }) => renameIndexIfThere(nextName(name), name)),
    ]),
  ];
}

/** Returns the steps for the indexes that the package's procedure does not build for a new table. */
export function laterSearchParts({ table, to }: ChangeOf<"setSearch">): readonly Step[] {
  const [, ...others] = searchParts(table, to);
  return others.map((part) => buildSearch(table, part, part.name));
}

function buildSearch(table: string, { columns }: SearchPart, name: string): Step {
  const statement = `create ${searchDefinition({ name, table, columns }, "concurrently ")};`;
  return { kind: "index", name, extension: "pg_trgm", statement };
}
