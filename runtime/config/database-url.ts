import { readDocument, type SettingsDocument } from "./document.js";
import { ConfigError } from "./problem.js";
import { readSettings } from "./settings.js";
import type { ConfigSource } from "./sources.js";
import { readVariables } from "./variables.js";

/**
 * The database that file or environment name; null, for the embedded one, where neither does. Everything else
 * may be missing or wrong, so that a release job needs only `DATABASE_URL`. Throws a `ConfigError` with every
 * problem of the file's syntax and of the database's settings.
 */
export function readDatabaseUrl({ root, environment }: ConfigSource): string | null {
  const file = readSettings(onlyDatabase(readDocument(root, environment)));
  const { DATABASE_URL } = environment;
  const { variables, problems: ofVariables } = readVariables({ DATABASE_URL });
  const problems = [...file.problems, ...ofVariables];
  const { settings } = file;
  if (settings === null || variables === null || problems.length > 0) {
    throw new ConfigError(problems);
  }
  const url = variables.DATABASE_URL ?? settings.database.url;
  return url === "" ? null : url;
}

/** The document without its other sections, which then have their defaults. */
function onlyDatabase(document: SettingsDocument): SettingsDocument {
  const { value } = document;
  const unset = document.unset.filter(({ path }) => path[0] === "database");
  if (typeof value !== "object" || value === null || !("database" in value)) {
    return Array.isArray(value) ? document : { ...document, unset, value: {} };
  }
  return { ...document, unset, value: { database: value.database } };
}
