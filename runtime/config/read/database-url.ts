import type { Problem } from "../../values/problem.js";
import { readVariables } from "../environment/variables.js";
import { readDocument, type SettingsDocument } from "../file/document.js";
import { readSettings, unknownKeysIn } from "../file/settings.js";
import { ConfigError } from "../result/problem.js";
import type { ConfigSource } from "./sources.js";

/**
 * The database that file or environment name; null, for the embedded one, where neither does. Everything else
 * may be missing or wrong, so that a release job needs only `DATABASE_URL`. Throws a `ConfigError` with every
 * problem of the file's syntax and of the database's settings, and with keys that no setting has; where the file has to
 * be changed anyway, with its other mistakes.
 */
export function readDatabaseUrl({ root, environment }: ConfigSource): string | null {
  const document = readDocument(root, environment);
  return urlOf(document, environment, unknownKeysIn(document));
}

/** Does what `readDatabaseUrl` does for a command that reports unknown keys itself. */
export function findDatabaseUrl({ root, environment }: ConfigSource): string | null {
  return urlOf(readDocument(root, environment), environment, []);
}

function urlOf(
  document: SettingsDocument,
  { DATABASE_URL }: ConfigSource["environment"],
  unknownKeys: readonly Problem[],
): string | null {
  const file = readSettings(onlyDatabase(document));
  const { variables, problems: ofVariables } = readVariables({ DATABASE_URL });
  const { settings } = file;
  if (file.problems.length > 0 || unknownKeys.length > 0) {
    throw new ConfigError([...mistakesIn(document), ...ofVariables]);
  }
  if (settings === null || variables === null) throw new ConfigError(ofVariables);
  const url = variables.DATABASE_URL ?? settings.database.url;
  return url === "" ? null : url;
}

/** Everything wrong in the file, except variables that only other sections need: they may not be set here. */
function mistakesIn(document: SettingsDocument): readonly Problem[] {
  const elsewhere = document.unset.filter(({ path }) => path[0] !== "database");
  const others = new Set(elsewhere.map(({ problem }) => problem));
  return readSettings(document).problems.filter((problem) => !others.has(problem));
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
