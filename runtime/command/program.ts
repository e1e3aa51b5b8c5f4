import { createRequire } from "node:module";
import { resolve } from "node:path";
import { Command, CommanderError } from "commander";
import { setAppFolder } from "./app/command-line.js";
import { type DevelopmentDatabase, setDevelopmentDatabase } from "./app/development.js";
import { declareBackup } from "./backup/declare.js";
import { declareDashboard } from "./dashboard/declare.js";
import { declareDb } from "./db/declare.js";
import { declareDoctor } from "./doctor/declare.js";
import { type CommandFrame, type ExitCode, exit } from "./exit.js";
import { declareExport } from "./export/declare.js";
import { addExamples, type Examples, examples } from "./help/examples.js";
import { declareImport } from "./import/declare.js";
import { declareJobs } from "./jobs/declare.js";
import { declareMigrate } from "./migrate/declare.js";
import { declareOfCli } from "./of-cli.js";
import { isOutputLost, passOn, passOnError } from "./report.js";
import { declareRoutes } from "./routes/declare.js";
import { declareSearch } from "./search/declare.js";
import { declareSeed } from "./seed/declare.js";
import { declareToken } from "./token/declare.js";
import { declareUploads } from "./uploads/declare.js";
import { declareUser } from "./user/declare.js";
import { declareWork } from "./work/declare.js";

export type Declare = (program: Command, frame: CommandFrame) => void;

export interface CommandLine {
  /** In the order of the help. */
  readonly groups: readonly Declare[];
  readonly examples: Examples;
  /** The database of an app that configures none; null if commands refuse such an app. */
  readonly development: DevelopmentDatabase | null;
  reportFailure(error: unknown): Promise<ExitCode>;
}

/** The commands that need no compiler and are available to an app in production. */
export const commandLine: CommandLine = {
  groups: [
    declareMigrate,
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
    declareSearch,
    declareOfCli,
  ],
  examples,
  development: null,
  async reportFailure(error) {
    const failure = await import("./failure.js");
    return failure.reportFailure(error);
  },
};

/** Runs one command; prints everything itself and resolves with the exit status. */
export async function run(args: readonly string[], line = commandLine): Promise<ExitCode> {
  setDevelopmentDatabase(line.development);
  const code = await parse(args, line);
  return code === exit.done && (await isOutputLost()) ? exit.mustChange : code;
}

async function parse(args: readonly string[], line: CommandLine): Promise<ExitCode> {
  let code: ExitCode = exit.done;
  const program = newProgram(line, (finished) => {
    code = finished;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    // Commander has already printed its own errors and help.
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exit.done : exit.wrongUsage;
    }
    return line.reportFailure(error);
  }
}

/**
 * Returns the tree of all commands; `finish` receives the exit status of the command that ran. Commands are imported
 * when they run, so that help and usage errors appear immediately.
 */
export function newProgram(
  { groups, examples }: CommandLine,
  finish: (code: ExitCode) => void,
): Command {
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
  addExamples(program, examples);
  return program;
}

function version(): string {
  const manifest: { version: string } = createRequire(import.meta.url)(
    "service-runtime/package.json",
  );
  return manifest.version;
}
