import {
  ConfigError,
  type Environment,
  findDatabaseUrl,
  noDatabase,
  readEnvironment,
} from "../../config/index.js";
import { withDatabase, withDatabaseAt } from "../app/database.js";
import { DevelopmentDatabaseError } from "../app/development.js";
import { requireApp } from "../app/folder.js";
import { type ExitCode, exit } from "../exit.js";
import { migrationsFolder } from "../migrate/folder.js";
import { type Finding, sayFinding, sayJson } from "../report.js";
import { checkDatabase, fileFindings } from "./database.js";
import { checkEncryption } from "./encryption.js";
import { problem, problemFindings, toJson } from "./finding.js";
import { checkOperation } from "./operation/operation.js";
import { checkPooling } from "./operation/pooling.js";
import { checkPrivateFiles } from "./private-files.js";
import { checkIdentities } from "./providers.js";
import { checkNode, checkSettings, readSettings } from "./settings.js";
import { checkSlow } from "./slow.js";

export interface DoctorOptions {
  readonly repair?: true;
  readonly json?: true;
  /** The path of a server's log; `-` is standard input. */
  readonly slow?: string;
}

/** Checks everything that an app needs; exits with 1 if something must be fixed. */
export async function doctor(root: string, options: DoctorOptions): Promise<ExitCode> {
  requireApp(root);
  const { slow } = options;
  const findings =
    slow === undefined
      ? await findAll(root, options)
      : await withDatabase(root, (url) => checkSlow(root, url, slow));
  if (options.json) sayJson({ findings: findings.map(toJson) });
  else for (const finding of findings) sayFinding(finding);
  return findings.some(({ state }) => state === "problem") ? exit.mustChange : exit.done;
}

async function findAll(root: string, options: DoctorOptions): Promise<readonly Finding[]> {
  const environment = readEnvironment(root);
  try {
    const url = findDatabaseUrl({ root, environment });
    // The embedded database is for development: a server in production does not start with it.
    if (url === null && environment.NODE_ENV === "production") throw new ConfigError([noDatabase]);
    return await withDatabaseAt(url, root, (url) => findOn({ root, environment, url }, options));
  } catch (error) {
    if (error instanceof ConfigError) {
      return findWithout(root, environment, problemFindings("database", error.problems));
    }
    if (!(error instanceof DevelopmentDatabaseError)) throw error;
    const { message, hint } = error;
    return findWithout(root, environment, [problem("database", message, hint)]);
  }
}

interface Target {
  readonly root: string;
  readonly environment: Environment;
  readonly url: string;
}

async function findOn(
  { root, environment, url }: Target,
  { repair }: DoctorOptions,
): Promise<readonly Finding[]> {
  const settings = readSettings({ root, environment, databaseUrl: url });
  const database = await checkDatabase(root, url, { repair: repair ?? false });
  return [
    checkNode(),
    ...(await checkSettings(settings, environment)),
    ...database,
    ...("config" in settings && isReached(database) ? await checkPooling(settings.config) : []),
    ...("config" in settings && isMigrated(database)
      ? [
          await checkEncryption(settings.config),
          ...(await checkPrivateFiles(root, settings.config)),
          ...(await checkIdentities(settings.config)),
          ...(await checkOperation(settings.config)),
        ]
      : []),
  ];
}

/** Returns the findings of checks that need no database, and the reason why there is no database. */
async function findWithout(
  root: string,
  environment: Environment,
  reasons: readonly Finding[],
): Promise<readonly Finding[]> {
  const settings = readSettings({ root, environment, databaseUrl: "postgres://unknown/unknown" });
  const others = await checkSettings(settings, environment);
  // A file that cannot be parsed is reported as a problem of every setting.
  const isReported = (one: Finding) => others.some(({ found }) => found === one.found);
  return [
    checkNode(),
    ...others,
    ...reasons.filter((reason) => !isReported(reason)),
    ...(await fileFindings(migrationsFolder(root))),
  ];
}

function isReached(findings: readonly Finding[]): boolean {
  return findings.some(({ check, state }) => check === "database" && state === "ok");
}

function isMigrated(findings: readonly Finding[]): boolean {
  return findings.some(({ check, state }) => check === "migrations" && state === "ok");
}
