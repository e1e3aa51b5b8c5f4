import { jsonFile } from "../text/json.js";
import type { EmittedFile } from "./file.js";

/** `migrations.json`: the names of the migrations that the code was made with, which a start compares with the ledger. */
export function emitMigrations(names: readonly string[]): EmittedFile {
  return { path: "generated/migrations.json", text: jsonFile([...new Set(names)].sort()) };
}
