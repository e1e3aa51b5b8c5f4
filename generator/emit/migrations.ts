import { jsonFile } from "../text/json.js";
import type { EmittedFile } from "./file.js";

/**
 * Emits `migrations.json`: the names of the migrations that the code was generated with. At startup, they are compared
 * with those recorded in the database.
 */
export function emitMigrations(names: readonly string[]): EmittedFile {
  return { path: "generated/migrations.json", text: jsonFile([...new Set(names)].sort()) };
}
