import type { ExpectedTable } from "./expected.js";
import type { Fact } from "./facts.js";

/**
 * Adjusts both lists for adopted tables: a table and its adopted columns must exist, with any definition; its other
 * objects are ignored unless they are expected.
 */
export function withAdopted(
  tables: readonly ExpectedTable[],
  expected: readonly Fact[],
  found: readonly Fact[],
): { readonly expected: readonly Fact[]; readonly found: readonly Fact[] } {
  const there = new Map(found.map((fact) => [keyOf(fact), fact]));
  const adopted = new Map(
    tables.flatMap(({ name, adopted: columns }) =>
      columns === undefined ? [] : [[name, columns] as const],
    ),
  );
  const needed = [...adopted].flatMap(([table, columns]): readonly Fact[] => [
    { table, object: "table", name: table, definition: "table" },
    ...columns.map((name): Fact => ({ table, object: "column", name, definition: "column" })),
  ]);
  const all = [...expected, ...needed.map((fact) => there.get(keyOf(fact)) ?? fact)];
  const keys = new Set(all.map(keyOf));
  return {
    expected: all,
    found: found.filter((fact) => !adopted.has(fact.table) || keys.has(keyOf(fact))),
  };
}

function keyOf({ table, object, name }: Fact): string {
  return JSON.stringify([table, object, name]);
}
