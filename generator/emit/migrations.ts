import { jsonFile } from "../text/json.js";
import type { EmittedFile } from "./file.js";

/**
 * `migrations.json`: the names of the migrations that the code was generated with, compared with
 * the ledger at the start.
 */
export function emitMigrations(names: readonly string[]): EmittedFile {
  return { path: "generated/migrations.json", text: jsonFile([...new Set(names)].sort()) };
}
