import type { Queryable } from "../../db/index.js";
import { placeOfTable, spelledTable } from "../../values/sql/table-name.js";
import { withMaintenanceConnection } from "../session/maintenance.js";
import { withAdopted } from "./adopted.js";
import { compareFacts, type Drift } from "./compare.js";
import { type ExpectedTable, readExpected } from "./expected.js";
import { type Fact, inRolledBackTransaction, qualifyNames, readFacts } from "./facts.js";
import { readRegisters } from "./registers.js";

/**
 * Compares the schema `public`, and adopted tables of other schemas, with what the app's migrations create. It blocks
 * no other session, but the role needs the privilege to create temporary tables. Names of `not null` constraints and
 * the order of columns are ignored.
 *
 * @throws {MigrationError} if PostgreSQL refuses a statement or cannot be reached, or a table is being changed.
 */
export function findDrift(url: string, tables: readonly ExpectedTable[]): Promise<Drift> {
  return withMaintenanceConnection(url, async (db) => {
    // To print a table's expressions, PostgreSQL takes the same lock as for a read.
    await db.query("set lock_timeout to '2s'");
    const all = await readExpected(db, tables);
    const { expected, found } = withAdopted(tables, all, await readFound(db, tables));
    return compareFacts(expected.filter(isCompared), found.filter(isCompared));
  });
}

function readFound(db: Queryable, tables: readonly ExpectedTable[]): Promise<readonly Fact[]> {
  const names = new Set(tables.map(({ name }) => name));
  const schemas = new Set([...names].map((name) => placeOfTable(name).schema));
  return inRolledBackTransaction(db, async () => {
    await db.query(qualifyNames);
    const facts = [...(await readFacts(db, "public")), ...(await readRegisters(db))];
    for (const schema of schemas) {
      if (schema === "public") continue;
      const own = (await readFacts(db, schema)).map((fact) => spelledFact(fact, schema));
      facts.push(...own.filter(({ table }) => names.has(table)));
    }
    return facts;
  });
}

function spelledFact({ table: name, ...fact }: Fact, schema: string): Fact {
  const table = spelledTable({ schema, name });
  return { ...fact, table, ...(fact.object === "table" && { name: table }) };
}

/** Excludes `not null` constraints, which have names since PostgreSQL 18: the column's fact contains them too. */
function isCompared({ object, definition }: Fact): boolean {
  return object !== "constraint" || !definition.startsWith("NOT NULL ");
}
