import type { Queryable } from "../../db/index.js";
import { withMaintenanceConnection } from "../session/maintenance.js";
import { compareFacts, type Drift } from "./compare.js";
import { type ExpectedTable, readExpected } from "./expected.js";
import { type Fact, inRolledBackTransaction, qualifyNames, readFacts } from "./facts.js";
import { readRegisters } from "./registers.js";

/**
 * Compares the schema `public` with the tables that the app's migrations create. It blocks no other
 * session, but the role needs the privilege to create temporary tables. Names of `not null`
 * constraints and the order of columns are ignored.
 *
 * @throws {MigrationError} if PostgreSQL refuses it or cannot be reached, or a table is being
 * changed.
 */
export function findDrift(url: string, tables: readonly ExpectedTable[]): Promise<Drift> {
  return withMaintenanceConnection(url, async (db) => {
    // PostgreSQL locks a table, as a read does, to print its expressions.
    await db.query("set lock_timeout to '2s'");
    return compareFacts(
      (await readExpected(db, tables)).filter(isCompared),
      (await readFound(db)).filter(isCompared),
    );
  });
}

function readFound(db: Queryable): Promise<readonly Fact[]> {
  return inRolledBackTransaction(db, async () => {
    await db.query(qualifyNames);
    return [...(await readFacts(db, "public")), ...(await readRegisters(db))];
  });
}

/** From PostgreSQL 18 on, `not null` is a constraint with a name; the column's fact has it too. */
function isCompared({ object, definition }: Fact): boolean {
  return object !== "constraint" || !definition.startsWith("NOT NULL ");
}
