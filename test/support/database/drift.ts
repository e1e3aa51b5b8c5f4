import { resolve } from "node:path";
import { readCurrent } from "../../../generator/output/current.js";
import { expectedTables } from "../../../runtime/migrate/drift/expected-tables.js";
import type { ExpectedTable } from "../../../runtime/migrate/index.js";
import { parseHistory } from "../../../runtime/values/schema/history/history.js";
import { replay } from "../../../runtime/values/schema/history/replay.js";
import { migratedDatabase, type TestDatabase } from "./database.js";

/** The tables that a fixture's migrations lead to; a folder below `fixtures/`. */
export function expectedOf(fixture: string): readonly ExpectedTable[] {
  return expectedIn(folderOf(fixture));
}

/** The tables that the migrations of the app in that folder lead to. */
export function expectedIn(root: string): readonly ExpectedTable[] {
  const { schema } = replay(parseHistory(readCurrent(root)));
  return expectedTables(schema);
}

/** A database on which the fixture's migrations have been run. */
export function migratedFixture(fixture: string): Promise<TestDatabase> {
  return migratedDatabase(`${folderOf(fixture)}/migrations`);
}

function folderOf(fixture: string): string {
  return resolve(import.meta.dirname, "../../../fixtures", fixture);
}
