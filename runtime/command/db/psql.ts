import { withDatabase } from "../app/database.js";
import type { ExitCode } from "../exit.js";
import { promptStatements, runCommand } from "./built-in-prompt.js";
import { runPsql } from "./installed-psql.js";

export interface DbPsqlOptions {
  /** One or more statements to run instead of a prompt. */
  readonly command?: string;
}

/** Opens a prompt in the app's database: psql if it is installed, else a built-in one. */
export function openPrompt(root: string, { command }: DbPsqlOptions): Promise<ExitCode> {
  return withDatabase(root, async (url) => {
    const status = await runPsql(url, command === undefined ? [] : ["--command", command]);
    if (status !== null) return status;
    return command === undefined ? promptStatements(url) : runCommand(url, command);
  });
}
