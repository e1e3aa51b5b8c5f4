import type { Fact } from "./facts.js";

/** The differences between a database and the result of its migrations, and additional objects in the database. */
export interface Drift {
  readonly differences: readonly Difference[];
  readonly unmanaged: readonly Unmanaged[];
}

export interface Difference {
  readonly table: string;
  /** The type of object that differs. `tally` is the set of counts, `search` the set of searched columns. */
  readonly object: Fact["object"];
  /** The object's name; for a table, the table's name. */
  readonly name: string;
  readonly problem: "missing" | "different";
  /** The definition as PostgreSQL prints it, without the name. */
  readonly expected: string;
  /** The definition in the database; null if the object is missing. */
  readonly found: string | null;
}

/** An object that no migration of the tool created. */
export interface Unmanaged {
  readonly table: string;
  /** The type of object: `index`, `column`, `table`, `view`, `materialized view` … */
  readonly object: string;
  readonly name: string;
}

/** Compares expected facts with actual ones. */
export function compareFacts(expected: readonly Fact[], found: readonly Fact[]): Drift {
  const [expectedTables, foundTables] = [tablesOf(expected), tablesOf(found)];
  const differences: Difference[] = [];
  const unmanaged: Unmanaged[] = [];
  for (const [table, facts] of expectedTables) {
    const there = foundTables.get(table) ?? new Map<string, Fact>();
    const isTable = tableKinds.has(kindOf(table, there) ?? "");
    for (const [key, fact] of facts) {
      // If a table is missing or a view replaces it, its parts are not reported individually.
      if (isTable || fact.object === "table") differences.push(...difference(fact, there.get(key)));
    }
    for (const [key, { object, name }] of there) {
      if (isTable && !facts.has(key)) unmanaged.push({ table, object, name });
    }
  }
  for (const [table, facts] of foundTables) {
    const kind = kindOf(table, facts);
    if (expectedTables.has(table) || kind === null || kind === "sequence") continue;
    unmanaged.push({ table, object: kind, name: table });
  }
  return { differences, unmanaged };
}

/** Kinds of relation that can have all the parts expected of a table. */
const tableKinds: ReadonlySet<string> = new Set(["table", "unlogged table"]);

/** The kind of a relation: `table`, `view` … */
function kindOf(table: string, facts: ReadonlyMap<string, Fact>): string | null {
  return facts.get(keyOf({ object: "table", name: table }))?.definition ?? null;
}

function difference({ definition: expected, ...fact }: Fact, found?: Fact): readonly Difference[] {
  if (found === undefined) return [{ ...fact, problem: "missing", expected, found: null }];
  return found.definition === expected
    ? []
    : [{ ...fact, problem: "different", expected, found: found.definition }];
}

/** Groups facts by table, then by kind and name. The table itself comes first. */
function tablesOf(facts: readonly Fact[]): Map<string, Map<string, Fact>> {
  const tables = new Map<string, Map<string, Fact>>();
  for (const fact of facts.toSorted(compareInOrder)) {
    const table = tables.get(fact.table) ?? new Map<string, Fact>();
    tables.set(fact.table, table.set(keyOf(fact), fact));
  }
  return tables;
}

function keyOf({ object, name }: Pick<Fact, "object" | "name">): string {
  return `${object} ${name}`;
}

const order = ["table", "column", "constraint", "index", "trigger", "tally", "search"] as const;

function compareInOrder(a: Fact, b: Fact): number {
  return (
    compareText(a.table, b.table) ||
    order.indexOf(a.object) - order.indexOf(b.object) ||
    compareText(a.name, b.name)
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
