import type { Command } from "commander";
import type { ExitCode } from "../runtime/command/exit.js";
import { declareMigrate } from "../runtime/command/migrate/declare.js";
import { declareOfCli } from "../runtime/command/of-cli.js";
import {
  type CommandLine,
  newProgram as newProgramOf,
  run as runOf,
  commandLine as runtimeLine,
} from "../runtime/command/program.js";
import { declareAdd } from "./commands/add/declare.js";
import { declareAdopt } from "./commands/adopt/declare.js";
import { declareCompletion } from "./commands/completion/declare.js";
import { declareDbReset } from "./commands/db/declare.js";
import { declareDev } from "./commands/dev/declare.js";
import { declareGenerate } from "./commands/generate/declare.js";
import { declareInit } from "./commands/init/declare.js";
import { declareUpgrade } from "./commands/upgrade/declare.js";
import { locateEmbedded, startEmbedded } from "./embedded/load.js";
import { examples } from "./help/examples.js";

/** The runtime's commands, plus those that need a compiler or the embedded database. */
const commandLine: CommandLine = {
  groups: [
    ...[declareInit, declareAdd, declareAdopt, declareGenerate, declareMigrate, declareDev],
    ...runtimeLine.groups.filter(
      (declare) => declare !== declareMigrate && declare !== declareOfCli,
    ),
    ...[declareDbReset, declareUpgrade, declareCompletion],
  ],
  examples: { ...runtimeLine.examples, ...examples },
  development: { start: (root) => startEmbedded({ root }), locate: locateEmbedded },
  async reportFailure(error) {
    const failure = await import("./failure.js");
    return failure.reportFailure(error);
  },
};

/** Runs one command, including all its output, and resolves with the exit status. */
export function run(args: readonly string[]): Promise<ExitCode> {
  return runOf(args, commandLine);
}

/** Returns the tree of all commands; `finish` receives the exit status of the executed command. */
export function newProgram(finish: (code: ExitCode) => void): Command {
  return newProgramOf(commandLine, finish);
}
