import type { Command } from "commander";
import type { CommandFrame } from "../exit.js";
import type { BackupOptions } from "./backup.js";
import type { RestoreOptions } from "./restore.js";

export function declareBackup(program: Command, { root, finish }: CommandFrame): void {
  program
    .command("backup")
    .description("write all records, accounts and files to one archive")
    .argument("<file>", "the archive, created once it is complete; -: standard output")
    .option("--encrypt", "encrypt it with a passphrase: SERVICE_BACKUP_PASSPHRASE, or prompted for")
    .option("--json", "print the result as JSON")
    .action(async (file: string, options: BackupOptions) => {
      const { backUp } = await import("./backup.js");
      finish(await backUp(root(), file, options));
    });

  program
    .command("restore")
    .description("restore an archive created by backup into an empty database")
    .argument("<file>", "the archive; -: standard input")
    .option("--replace", "delete all existing records, accounts and files first")
    .option("--dry-run", "check everything and change nothing")
    .option(
      "--other-secret",
      "restore even if its secrets were encrypted with another SERVICE_SECRET",
    )
    .option("--json", "print the result as JSON")
    .action(async (file: string, options: RestoreOptions) => {
      const { restore } = await import("./restore.js");
      finish(await restore(root(), file, options));
    });
}
