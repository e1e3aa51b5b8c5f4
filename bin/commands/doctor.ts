import { readEnvironment } from "../../runtime/config/index.js";
import { withDatabase } from "../database.js";
import { checkDatabase } from "../doctor/database.js";
import type { Finding } from "../doctor/finding.js";
import { checkNode, checkSettings } from "../doctor/settings.js";
import { type ExitCode, exit } from "../exit.js";
import { sayFinding, sayJson } from "../report.js";

export interface DoctorOptions {
  readonly repair?: true;
  readonly json?: true;
}

/** Looks at everything that an app needs; 1 when something has to be mended. */
export async function doctor(root: string, options: DoctorOptions): Promise<ExitCode> {
  const findings: readonly Finding[] = await withDatabase(root, async (databaseUrl) => [
    checkNode(),
    ...(await checkSettings({ root, environment: readEnvironment(root), databaseUrl })),
    ...(await checkDatabase(root, databaseUrl, { repair: options.repair ?? false })),
  ]);
  if (options.json) sayJson({ findings });
  else for (const finding of findings) sayFinding(finding);
  return findings.some(({ state }) => state === "problem") ? exit.mustChange : exit.done;
}
