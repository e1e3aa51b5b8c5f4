import type { Problem } from "../../values/problem.js";
import { readVariables } from "../environment/variables.js";
import { readDocument, type SettingsDocument } from "../file/document.js";
import { readSettings, unknownKeysIn } from "../file/settings.js";
import { ConfigError } from "../result/problem.js";
import type { ConfigSource } from "./sources.js";

/**
 * Returns the database address of the file or the environment; null, for the embedded database, if neither has one.
 * Other settings may be missing or invalid, so that a release job needs only `DATABASE_URL`. Throws a `ConfigError`
 * with every problem of the file's syntax, of the database's settings and of unknown keys. If there is one, the file's
 * other errors are included.
 */
export function readDatabaseUrl({ root, environment }: ConfigSource): string | null {
  const document = readDocument(root, environment);
  return urlOf(document, environment, unknownKeysIn(document));
}

/** Like `readDatabaseUrl`, for a command that reports unknown keys itself. */
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

/** Returns all errors in the file, except unset variables that only other sections need. */
function mistakesIn(document: SettingsDocument): readonly Problem[] {
  const elsewhere = document.unset.filter(({ path }) => path[0] !== "database");
  const others = new Set(elsewhere.map(({ problem }) => problem));
  return readSettings(document).problems.filter((problem) => !others.has(problem));
}

/** Returns the document with only its database section; the other sections have their defaults. */
function onlyDatabase(document: SettingsDocument): SettingsDocument {
  const { value } = document;
  const unset = document.unset.filter(({ path }) => path[0] === "database");
  if (typeof value !== "object" || value === null || !("database" in value)) {
    return Array.isArray(value) ? document : { ...document, unset, value: {} };
  }
  return { ...document, unset, value: { database: value.database } };
}
