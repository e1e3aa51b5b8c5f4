import { resolve } from "node:path";
import { readCurrent } from "../../../generator/output/current.js";
import { parseHistory } from "../../../generator/schema/history/history.js";
import { replay } from "../../../generator/schema/history/replay.js";
import { expectedTables } from "../../../generator/schema/sql/expected.js";
import type { ExpectedTable } from "../../../runtime/migrate/index.js";
import { migratedDatabase, type TestDatabase } from "./database.js";

/** The tables that a fixture's migrations lead to; a folder below `fixtures/`. */
export function expectedOf(fixture: string): readonly ExpectedTable[] {
  const { schema } = replay(parseHistory(readCurrent(folderOf(fixture))));
  return expectedTables(schema);
}

/** A database on which the fixture's migrations have been run. */
export function migratedFixture(fixture: string): Promise<TestDatabase> {
  return migratedDatabase(`${folderOf(fixture)}/migrations`);
}

function folderOf(fixture: string): string {
  return resolve(import.meta.dirname, "../../../fixtures", fixture);
}
