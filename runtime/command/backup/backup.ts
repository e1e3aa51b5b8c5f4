import { type Backup, type ResourceNames, resourceOf, saveBackup } from "../../backup/index.js";
import { historiesOf } from "../app/histories.js";
import { withAppServices } from "../app/services.js";
import { joinTables, resourceNames } from "../app/tables.js";
import { standardOutput, wholeFile } from "../destination.js";
import { CommandRefused, type ExitCode, exit } from "../exit.js";
import { startRate } from "../progress.js";
import { count, hasNoReader, isOutputLost, sayJson, sayProgress, warn } from "../report.js";
import { newPassphrase } from "./passphrase.js";
import { reportingProblems } from "./problem.js";

export interface BackupOptions {
  readonly encrypt?: true;
  readonly json?: true;
}

/** Maximum number of missing files to name. */
const namedFiles = 20;

/** Writes all records, accounts and files to an archive. */
export async function backUp(
  root: string,
  file: string,
  { encrypt, json }: BackupOptions,
): Promise<ExitCode> {
  if (json && file === "-") {
    throw new CommandRefused("--json needs a file", "name one instead of -", exit.wrongUsage);
  }
  return withAppServices(root, async ({ config, db, clock }) => {
    const destination = file === "-" ? standardOutput() : wholeFile(file);
    const passphrase = encrypt ? await newPassphrase(root) : null;
    const rate = startRate("records and files");
    const { write } = destination;
    const request = {
      ...{ config, db, passphrase, write, madeAt: clock.now() },
      histories: historiesOf(config.root),
      joins: joinTables(config.root),
      onProgress: rate.show,
    };
    try {
      const backup = await reportingProblems(() => saveBackup(request));
      rate.end();
      report(file, backup);
      if (json) {
        const names = resourceNames(config.root);
        sayJson({ file, ...resultOf(backup, { encrypted: encrypt === true, names }) });
      }
      return exit.done;
    } catch (error) {
      rate.end();
      if (file === "-" && (await isOutputLost())) return exit.mustChange;
      if (file !== "-" || !hasNoReader(error)) throw error;
      throw new CommandRefused(
        "The program that reads the archive exited before all of it was written",
      );
    }
  });
}

export function recordsOf(
  rows: ReadonlyMap<string, number>,
  names: ResourceNames,
): Readonly<Record<string, number>> {
  const tables = [...rows].filter(([table]) => isOfRecords(table));
  return Object.fromEntries(tables.map(([table, number]) => [resourceOf(table, names), number]));
}

/** Whether the table belongs to the app and not to the package. */
function isOfRecords(table: string): boolean {
  return !table.startsWith("service.");
}

/** Returns the number of entries in the histories of records. */
export function historyOf(rows: ReadonlyMap<string, number>): number {
  return rows.get("service.changes") ?? 0;
}

/** Returns the numbers of accounts, records, files and history entries as a sentence. */
export function summaryOf(rows: ReadonlyMap<string, number>, files: number): string {
  const records = [...rows].reduce(
    (sum, [table, number]) => (isOfRecords(table) ? sum + number : sum),
    0,
  );
  const accounts = rows.get("service.users") ?? 0;
  const entries = historyOf(rows);
  return [
    count(records, "record"),
    count(accounts, "account"),
    count(files, "file"),
    ...(entries === 0 ? [] : [entries === 1 ? "1 history entry" : `${entries} history entries`]),
  ].join(", ");
}

function resultOf(
  { bytes, rows, files, unmanaged, missing }: Backup,
  { encrypted, names }: { readonly encrypted: boolean; readonly names: ResourceNames },
) {
  const accounts = rows.get("service.users") ?? 0;
  const records = recordsOf(rows, names);
  const history = historyOf(rows);
  return { bytes, encrypted, records, accounts, files, history, unmanaged, missing };
}

function report(file: string, { bytes, rows, files, unmanaged, missing }: Backup): void {
  for (const table of unmanaged) {
    warn(`${table} is not in the archive: the table was not created by a migration of service`);
  }
  for (const key of missing.slice(0, namedFiles)) {
    warn(`${key} is not in the archive: the storage does not have the complete file`);
  }
  if (missing.length > namedFiles) {
    warn(`${missing.length - namedFiles} more files are not in the archive`);
  }
  const to = file === "-" ? "" : ` in ${file}`;
  sayProgress(`${summaryOf(rows, files)}${to}, ${count(bytes, "byte")}`);
}
