import { isDeepStrictEqual } from "node:util";
import type { Change } from "./change.js";
import type { Schema, Table } from "./schema.js";

export interface Diff {
  /** In the order in which they are to be applied. */
  readonly changes: readonly Change[];
  /** Tables whose change needs more than new tables; by resource. */
  readonly unsupported: readonly string[];
}

/** What leads from one schema to another. */
export function diffSchemas(from: Schema, to: Schema): Diff {
  const before = new Map(from.tables.map((table) => [table.name, table]));
  const after = new Set(to.tables.map(({ name }) => name));
  const created = to.tables.filter(({ name }) => !before.has(name));
  const gone = from.tables.filter(({ name }) => !after.has(name));
  const altered = to.tables.filter((table) => {
    const former = before.get(table.name);
    return former !== undefined && !isDeepStrictEqual(former, table);
  });
  return {
    changes: createTables(created),
    unsupported: [...gone, ...altered].map(({ resource }) => resource),
  };
}

/** Every table stands before the first link, so that links may go in circles. */
function createTables(tables: readonly Table[]): Change[] {
  return [
    ...tables.map(
      (table): Change => ({
        kind: "createTable",
        table: { ...table, links: [], indexes: [], tally: null, search: null },
      }),
    ),
    ...tables.flatMap(({ name, links }) =>
      links.map((link): Change => ({ kind: "addLink", table: name, link })),
    ),
    ...tables.flatMap(({ name, indexes }) =>
      indexes.map((index): Change => ({ kind: "createIndex", table: name, index })),
    ),
    ...tables.flatMap(({ name, search }): Change[] =>
      search === null ? [] : [{ kind: "createSearch", table: name, search }],
    ),
    ...tables.flatMap(({ name, tally }): Change[] =>
      tally === null ? [] : [{ kind: "createTally", table: name, tally }],
    ),
  ];
}
