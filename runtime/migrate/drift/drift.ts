import type { Queryable } from "../../db/index.js";
import { withMaintenanceConnection } from "../session/maintenance.js";
import { withAdopted } from "./adopted.js";
import { compareFacts, type Drift } from "./compare.js";
import { type ExpectedTable, readExpected } from "./expected.js";
import { type Fact, inRolledBackTransaction, qualifyNames, readFacts } from "./facts.js";
import { readRegisters } from "./registers.js";

/**
 * Compares the schema `public` with the tables that the app's migrations create. It blocks no other
 * session, but the role needs the privilege to create temporary tables. Names of `not null`
 * constraints and the order of columns are ignored.
 *
 * @throws {MigrationError} if PostgreSQL refuses a statement or cannot be reached, or a table is
 * being changed.
 */
export function findDrift(url: string, tables: readonly ExpectedTable[]): Promise<Drift> {
  return withMaintenanceConnection(url, async (db) => {
    // To print a table's expressions, PostgreSQL takes the same lock as a read.
    await db.query("set lock_timeout to '2s'");
    const all = await readExpected(db, tables);
    const { expected, found } = withAdopted(tables, all, await readFound(db));
    return compareFacts(expected.filter(isCompared), found.filter(isCompared));
  });
}

function readFound(db: Queryable): Promise<readonly Fact[]> {
  return inRolledBackTransaction(db, async () => {
    await db.query(qualifyNames);
    return [...(await readFacts(db, "public")), ...(await readRegisters(db))];
  });
}

/** Leaves out `not null` constraints, which PostgreSQL names from 18 on: the column's fact contains them too. */
function isCompared({ object, definition }: Fact): boolean {
  return object !== "constraint" || !definition.startsWith("NOT NULL ");
}
