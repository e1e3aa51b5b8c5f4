import { z } from "zod";
import type { Problem } from "../../values/problem.js";
import type { Environment } from "../environment/environment.js";
import { readVariables, type Variables } from "../environment/variables.js";
import { readDocument, type SettingsDocument } from "../file/document.js";
import { readSettings } from "../file/settings.js";
import { ConfigError } from "../result/problem.js";
import type { Settings } from "../shape/shape.js";
import { lookProblems } from "./look.js";
import { noDatabase, productionProblems } from "./production.js";

/** The app's folder, and the variables with which it is read. */
export interface ConfigSource {
  readonly root: string;
  readonly environment: Environment;
  /** Overrides the file and the environment, which then need no address; for the embedded database. */
  readonly databaseUrl?: string;
}

export interface Sources {
  /** The file's settings, overridden by the variables. */
  readonly settings: Settings;
  readonly variables: Variables;
  /** The keys of the map at that path, in the order of the file; in a parsed value, known keys come first. */
  readonly keysAt: SettingsDocument["keysAt"];
  /** The settings that the file contains under a former name. */
  readonly renamed: SettingsDocument["renamed"];
}

/** Reads both sources. Throws a `ConfigError` with all their problems. */
export function readSources(source: ConfigSource): Sources {
  const environment = environmentOf(source);
  const written = readDocument(source.root, environment);
  const document = source.databaseUrl === undefined ? written : withoutAddress(written);
  const file = readSettings(document);
  const { variables, problems } = readVariables(environment);
  const all = [...file.problems, ...problems];
  if (file.settings === null || variables === null) throw new ConfigError(all);

  const settings = overlay(file.settings, variables);
  all.push(...incomplete(settings, document), ...lookProblems(settings.app, document, source.root));
  if (variables.NODE_ENV === "production") {
    // A variable that the address refers to has already been reported.
    const isNamed = document.unset.some(({ path }) => path.join(".") === "database.url");
    const missing = productionProblems(settings, variables);
    all.push(...missing.filter((problem) => problem !== noDatabase || !isNamed));
  }
  if (all.length > 0) throw new ConfigError(all);
  return { settings, variables, keysAt: document.keysAt, renamed: document.renamed };
}

function environmentOf({ environment, databaseUrl }: ConfigSource): Environment {
  return databaseUrl === undefined ? environment : { ...environment, DATABASE_URL: databaseUrl };
}

function withoutAddress(document: SettingsDocument): SettingsDocument {
  const value = withDatabase.safeParse(document.value);
  if (!value.success) return document;
  const { url: _url, ...database } = value.data.database;
  return { ...document, value: { ...value.data, database } };
}

const withDatabase = z.looseObject({ database: z.looseObject({}) });

/** Returns the settings, overridden by the variables of the environment. */
function overlay(settings: Settings, variables: Variables): Settings {
  const { server, database, auth, mailer } = settings;
  return {
    ...settings,
    server: { ...server, port: variables.PORT ?? server.port },
    database: { ...database, url: variables.DATABASE_URL ?? database.url },
    auth: { ...auth, registration: variables.SERVICE_REGISTRATION ?? auth.registration },
    mailer: {
      driver: variables.SERVICE_MAIL_URL === undefined ? mailer.driver : "smtp",
      url: variables.SERVICE_MAIL_URL ?? mailer.url,
      from: variables.SERVICE_MAIL_FROM ?? mailer.from,
    },
  };
}

/** Returns a problem for each setting that requires another, missing one. */
function incomplete(settings: Settings, document: SettingsDocument): readonly Problem[] {
  const problems: Problem[] = [];
  const { mailer } = settings;
  if (mailer.driver === "smtp" && mailer.url === undefined) {
    problems.push(
      document.problemAt(
        ["mailer", "driver"],
        "mailer.url must be set with the driver smtp",
        "write it here or set SERVICE_MAIL_URL",
      ),
    );
  }
  const { storage, resumable } = settings.uploads;
  if (resumable !== undefined && resumable.pending_bytes < resumable.max_bytes) {
    problems.push(
      document.problemAt(
        ["uploads", "resumable", "pending_bytes"],
        "uploads.resumable.pending_bytes must be at least uploads.resumable.max_bytes",
        "an upload of the largest file would be refused",
      ),
    );
  }
  if (
    storage.driver === "s3" &&
    (storage.access_key_id === null) !== (storage.secret_access_key === null)
  ) {
    problems.push(
      document.problemAt(
        ["uploads", "storage", "driver"],
        "uploads.storage.access_key_id and secret_access_key must both be set, or neither",
      ),
    );
  }
  return problems;
}
