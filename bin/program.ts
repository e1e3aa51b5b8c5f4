import { createRequire } from "node:module";
import { resolve } from "node:path";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { setAppFolder } from "./app/command-line.js";
import { addDbCommands } from "./commands/db/declare.js";
import type { DevOptions } from "./commands/dev/dev.js";
import type { DoctorOptions } from "./commands/doctor/doctor.js";
import type { GenerateOptions } from "./commands/generate/generate.js";
import type { MigrateOptions } from "./commands/migrate/migrate.js";
import type { RoutesOptions } from "./commands/routes/routes.js";
import { addTokenCommands } from "./commands/token/declare.js";
import { addUploadCommands } from "./commands/uploads/declare.js";
import { addUserCommands } from "./commands/user/declare.js";
import { type ExitCode, exit } from "./exit.js";
import { passOn, passOnError } from "./report.js";

/** Runs one command line; prints everything itself and resolves with the exit status. */
export async function run(args: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = exit.done;
  const program = newProgram((finished) => {
    code = finished;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    // Commander has printed its own errors, and its help, already.
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exit.done : exit.wrongUsage;
    }
    const { reportFailure } = await import("./failure.js");
    return reportFailure(error);
  }
}

/** Commands are imported when they run, so that help and usage errors are immediate. */
function newProgram(finish: (code: ExitCode) => void): Command {
  const program = new Command("service")
    .description("Typed Express servers on PostgreSQL, generated from resource descriptors")
    .option("-C <dir>", "the app's folder", ".")
    .version(version(), "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .exitOverride()
    .configureOutput({ writeOut: passOn, writeErr: passOnError });
  const folder = () => program.opts<{ C: string }>().C;
  const root = () => {
    setAppFolder(resolve(folder()) === process.cwd() ? null : folder());
    return resolve(folder());
  };

  program
    .command("init")
    .description("write a starter app; existing files are kept")
    .argument("<dir>", "the new app's folder", folderName)
    .action(async (dir: string) => {
      const { init } = await import("./commands/init/init.js");
      finish(await init(resolve(folder(), dir)));
    });

  program
    .command("generate")
    .description("write generated/ and, if the schema changed, one new migration")
    .option("--check", "write nothing; exit 1 and name the files if anything differs")
    .option("--name <what>", "name the new migration", migrationWords)
    .option("--client <folder>", "write client.ts into this folder too, for a front end")
    .option(
      "--allow-destructive <resource[.field]>",
      "agree to a change that loses data; may be repeated",
      collectTargets,
    )
    .option("--json", "print the result as JSON")
    .action(async (options: GenerateOptions) => {
      const { generateCommand } = await import("./commands/generate/generate.js");
      finish(await generateCommand(root(), options));
    });

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
    .option("--to <migration>", "with --down: its number or name; undo all applied after it")
    .addOption(
      new Option(
        "--forget <migration>",
        "remove from the database's list an applied migration whose file is missing; does not ask; its tables stay",
      ).conflicts(["dryRun", "down", "to"]),
    )
    .option("--verbose", "report each step before it is run")
    .option("--json", "print the result as JSON")
    .action(async (options: MigrateOptions) => {
      const { migrateCommand } = await import("./commands/migrate/migrate.js");
      finish(await migrateCommand(root(), options));
    });

  program
    .command("dev")
    .description("run the app and restart it on every change")
    .option(
      "--database-url-is-mine",
      "develop on a database on another machine; its tables change on every save",
    )
    .action(async (options: DevOptions) => {
      const { dev } = await import("./commands/dev/dev.js");
      finish(await dev(root(), options));
    });

  program
    .command("dashboard")
    .description("serve the dashboard for the API at SERVICE_API_URL")
    .action(async () => {
      const { dashboardCommand } = await import("./commands/dashboard/dashboard.js");
      finish(await dashboardCommand(root()));
    });

  program
    .command("doctor")
    .description("check Node, configuration, database, totals, searches and secrets")
    .option("--slow <log>", "name indexes for slow queries in a server's log; - is standard input")
    .option("--repair", "recalculate wrong totals and build missing search indexes")
    .option("--json", "print the findings as JSON")
    .action(async (options: DoctorOptions) => {
      const { doctor } = await import("./commands/doctor/doctor.js");
      finish(await doctor(root(), options));
    });

  program
    .command("routes")
    .description("list every route of the built app, with who may use it")
    .option("--json", "print the routes as JSON")
    .action(async (options: RoutesOptions) => {
      const { listRoutes } = await import("./commands/routes/routes.js");
      finish(await listRoutes(root(), options));
    });

  addDbCommands(program.command("db").description("inspect the database, or empty it"), {
    root,
    finish,
  });
  addUserCommands(program.command("user").description("manage accounts"), { root, finish });
  addTokenCommands(program.command("token").description("manage the tokens of programs"), {
    root,
    finish,
  });
  addUploadCommands(program.command("uploads").description("manage stored files"), {
    root,
    finish,
  });

  return program;
}

function version(): string {
  const manifest: { version: string } = createRequire(import.meta.url)("service/package.json");
  return manifest.version;
}

/** An empty name, as an unset variable of a script produces, would mean the current folder. */
function folderName(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("Name a folder; the current one is called .");
}

/** A migration's file is called by these words, so they must suit every file system. */
function migrationWords(text: string): string {
  const words = text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  if (/^[a-z0-9_]{1,60}$/.test(words)) return words;
  throw new InvalidArgumentError("Use up to 60 letters, digits and dashes.");
}

function collectTargets(text: string, earlier: readonly string[] = []): readonly string[] {
  if (/^[a-z][a-z0-9-]*(\.[a-z][A-Za-z0-9]*)?$/.test(text)) return [...earlier, text];
  throw new InvalidArgumentError('Write "products" or "products.price".');
}
