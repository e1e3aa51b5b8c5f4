import { readEnvironment } from "../../runtime/config/index.js";
import { withDatabase } from "../database.js";
import { checkDatabase } from "../doctor/database.js";
import type { Finding } from "../doctor/finding.js";
import { checkSealed } from "../doctor/sealed.js";
import { checkNode, checkSettings, readSettings } from "../doctor/settings.js";
import { type ExitCode, exit } from "../exit.js";
import { sayFinding, sayJson } from "../report.js";

export interface DoctorOptions {
  readonly repair?: true;
  readonly json?: true;
}

/** Looks at everything that an app needs; 1 when something has to be mended. */
export async function doctor(root: string, options: DoctorOptions): Promise<ExitCode> {
  const findings = await withDatabase(root, (url) => findAll(root, url, options));
  if (options.json) sayJson({ findings });
  else for (const finding of findings) sayFinding(finding);
  return findings.some(({ state }) => state === "problem") ? exit.mustChange : exit.done;
}

async function findAll(
  root: string,
  databaseUrl: string,
  { repair }: DoctorOptions,
): Promise<readonly Finding[]> {
  const environment = readEnvironment(root);
  const settings = readSettings({ root, environment, databaseUrl });
  const database = await checkDatabase(root, databaseUrl, { repair: repair ?? false });
  return [
    checkNode(),
    ...(await checkSettings(settings, environment)),
    ...database,
    ...("config" in settings && isMigrated(database) ? [await checkSealed(settings.config)] : []),
  ];
}

function isMigrated(findings: readonly Finding[]): boolean {
  return findings.some(({ check, state }) => check === "migrations" && state === "ok");
}
