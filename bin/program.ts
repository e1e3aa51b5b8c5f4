import { createRequire } from "node:module";
import { resolve } from "node:path";
import { Command, CommanderError } from "commander";
import { setAppFolder } from "./app/command-line.js";
import { declareAdd } from "./commands/add/declare.js";
import { declareBackup } from "./commands/backup/declare.js";
import { declareCompletion } from "./commands/completion/declare.js";
import { declareDashboard } from "./commands/dashboard/declare.js";
import { declareDb } from "./commands/db/declare.js";
import { declareDev } from "./commands/dev/declare.js";
import { declareDoctor } from "./commands/doctor/declare.js";
import { declareExport } from "./commands/export/declare.js";
import { declareGenerate } from "./commands/generate/declare.js";
import { declareImport } from "./commands/import/declare.js";
import { declareInit } from "./commands/init/declare.js";
import { declareJobs } from "./commands/jobs/declare.js";
import { declareMigrate } from "./commands/migrate/declare.js";
import { declareRoutes } from "./commands/routes/declare.js";
import { declareSeed } from "./commands/seed/declare.js";
import { declareToken } from "./commands/token/declare.js";
import { declareUploads } from "./commands/uploads/declare.js";
import { declareUser } from "./commands/user/declare.js";
import { declareWork } from "./commands/work/declare.js";
import { type CommandFrame, type ExitCode, exit } from "./exit.js";
import { addExamples } from "./help/examples.js";
import { isOutputLost, passOn, passOnError } from "./report.js";

/** In the order of the help. */
const groups: readonly ((program: Command, frame: CommandFrame) => void)[] = [
  declareInit,
  declareAdd,
  declareGenerate,
  declareMigrate,
  declareDev,
  declareDashboard,
  declareDoctor,
  declareRoutes,
  declareJobs,
  declareWork,
  declareDb,
  declareExport,
  declareImport,
  declareBackup,
  declareSeed,
  declareUser,
  declareToken,
  declareUploads,
  declareCompletion,
];

/** Runs one command line; prints everything itself and resolves with the exit status. */
export async function run(args: readonly string[]): Promise<ExitCode> {
  const code = await parse(args);
  return code === exit.done && (await isOutputLost()) ? exit.mustChange : code;
}

async function parse(args: readonly string[]): Promise<ExitCode> {
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

/**
 * The tree of all commands; `finish` gets the exit status of the one that runs. Commands are imported when they run, so
 * that help and usage errors are immediate.
 */
export function newProgram(finish: (code: ExitCode) => void): Command {
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

  for (const declare of groups) declare(program, { folder, root, finish });
  addExamples(program);
  return program;
}

function version(): string {
  const manifest: { version: string } = createRequire(import.meta.url)("service/package.json");
  return manifest.version;
}
