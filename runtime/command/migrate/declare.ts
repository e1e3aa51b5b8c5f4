import { type Command, Option } from "commander";
import type { CommandFrame } from "../exit.js";
import type { MigrateOptions } from "./migrate.js";

export function declareMigrate(program: Command, { root, finish }: CommandFrame): void {
  program
    .command("migrate")
    .description("apply the pending migrations: the package's own, then the app's")
    .addOption(
      new Option("--status", "apply nothing; exit 1 if any is pending").conflicts([
        "dryRun",
        "down",
        "to",
        "forget",
      ]),
    )
    .option("--dry-run", "apply nothing; print the SQL that would be run")
    .option("--down", "undo the app's migration that was applied last")
    .option(
      "--to <migration>",
      "with --down: undo all migrations applied after this one (its number or name)",
    )
    .addOption(
      new Option(
        "--forget <migration>",
        "remove from the database's list an applied migration whose file is missing; does not ask; its tables stay",
      ).conflicts(["dryRun", "down", "to"]),
    )
    .addOption(
      new Option(
        "--allow-invalid <resource.field>",
        "keep stored JSON that a new schema of the field refuses; repeatable",
      )
        .argParser((value: string, before: readonly string[] = []) => [...before, value])
        .conflicts(["status", "dryRun", "down", "to", "forget"]),
    )
    .option("--verbose", "report each step before it is run")
    .option("--json", "print the result as JSON")
    .action(async (options: MigrateOptions) => {
      const { migrateCommand } = await import("./migrate.js");
      finish(await migrateCommand(root(), options));
    });
}
