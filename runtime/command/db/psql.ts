import { withDatabase } from "../app/database.js";
import type { ExitCode } from "../exit.js";
import { promptStatements, runCommand } from "./built-in-prompt.js";
import { runPsql } from "./installed-psql.js";

export interface DbPsqlOptions {
  readonly command?: string;
}

/** Opens a prompt in the app's database: psql if it is installed, otherwise the built-in prompt. */
export function openPrompt(root: string, { command }: DbPsqlOptions): Promise<ExitCode> {
  return withDatabase(root, async (url) => {
    const status = await runPsql(url, command === undefined ? [] : ["--command", command]);
    if (status !== null) return status;
    return command === undefined ? promptStatements(url) : runCommand(url, command);
  });
}
