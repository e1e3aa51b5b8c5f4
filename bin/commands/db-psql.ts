import { withDatabase } from "../database.js";
import { promptStatements, runCommand } from "../db/prompt.js";
import { runPsql } from "../db/psql.js";
import type { ExitCode } from "../exit.js";

export interface DbPsqlOptions {
  /** One statement, or several, instead of a prompt. */
  readonly command?: string;
}

/** A prompt in the app's database: psql where it is installed, else a built-in one. */
export function openPrompt(root: string, { command }: DbPsqlOptions): Promise<ExitCode> {
  return withDatabase(root, async (url) => {
    const status = await runPsql(url, command === undefined ? [] : ["--command", command]);
    if (status !== null) return status;
    return command === undefined ? promptStatements(url) : runCommand(url, command);
  });
}
