import { join } from "node:path";
import {
  type ResourceNames,
  type Restored,
  restoreArchive,
} from "../../../runtime/backup/index.js";
import { withConnection } from "../app/connection.js";
import { withConfig } from "../app/database.js";
import { attachmentFields } from "../app/file-fields.js";
import { joinTables, resourceNames } from "../app/tables.js";
import { type ExitCode, exit } from "../exit.js";
import { startRate } from "../progress.js";
import { sayJson, sayProgress, warn } from "../report.js";
import { withArchive } from "./archive-source.js";
import { historyOf, recordsOf, summaryOf } from "./backup.js";
import { knownPassphrase } from "./passphrase.js";
import { reportingProblems } from "./problem.js";

export interface RestoreOptions {
  readonly replace?: true;
  readonly dryRun?: true;
  readonly otherSecret?: true;
  readonly json?: true;
}

export async function restore(
  root: string,
  file: string,
  { replace, dryRun, otherSecret, json }: RestoreOptions,
): Promise<ExitCode> {
  return withConfig(root, (config) =>
    withConnection(config, (db) =>
      withArchive(file, async (path) => {
        const names = resourceNames(config.root);
        let rate = startRate("records and files");
        const request = {
          ...{ config, db, path, names },
          joins: joinTables(config.root),
          directory: join(config.root, "migrations"),
          passphrase: () => knownPassphrase(root),
          isReplacing: replace === true,
          isDry: dryRun === true,
          isAttachment: attachmentFields(config.root),
          takesOtherSecret: otherSecret === true,
          onWarning: warn,
          onWork: (work: "verify" | "load") => {
            rate.end();
            rate = startRate(`records and files ${work === "verify" ? "checked" : "restored"}`);
            return rate.show;
          },
        };
        try {
          const restored = await reportingProblems(() => restoreArchive(request));
          rate.end();
          report(restored, { isDry: dryRun === true });
          if (json) sayJson({ file, ...resultOf(restored, names) });
          return exit.done;
        } finally {
          rate.end();
        }
      }),
    ),
  );
}

function resultOf({ rows, files, migrated }: Restored, names: ResourceNames) {
  const accounts = rows.get("service.users") ?? 0;
  return { records: recordsOf(rows, names), accounts, files, history: historyOf(rows), migrated };
}

function report({ rows, files, migrated }: Restored, { isDry }: { readonly isDry: boolean }): void {
  const summary = summaryOf(rows, files);
  const later = migrated.length === 0 ? "" : `; migrated by ${migrated.join(", ")}`;
  sayProgress(isDry ? `The archive is intact: ${summary}` : `Restored: ${summary}${later}`);
}
