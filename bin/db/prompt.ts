import { createInterface } from "node:readline";
import pg from "pg";
import { alignColumns } from "../columns.js";
import { type ExitCode, exit } from "../exit.js";
import { fail, passOnError, say, sayAside } from "../report.js";

/**
 * Reads statements, each up to a `;` at a line's end, and prints what they give: for machines without
 * psql. Ends with its input, or with `\q`. Without a terminal the first refused statement ends it with 1.
 */
export async function promptStatements(url: string): Promise<ExitCode> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const isTyped = process.stdin.isTTY === true;
  const lines = createInterface({ input: process.stdin, terminal: isTyped });
  if (isTyped)
    sayAside("End each statement with ; and leave with \\q (psql is not installed here)");
  const ask = (begun: boolean) => {
    if (isTyped) passOnError(begun ? "     > " : "app => ");
  };
  let text = "";
  let status: ExitCode = exit.done;
  try {
    ask(false);
    for await (const line of lines) {
      if (text === "" && line.trim() === "\\q") break;
      text += `${line}\n`;
      if (/;\s*$/.test(line)) {
        const isDone = await runStatement(client, text);
        text = "";
        if (!isDone && !isTyped) {
          status = exit.mustChange;
          break;
        }
      }
      ask(text.trim() !== "");
    }
    if (status === exit.done && text.trim() !== "" && !(await runStatement(client, text))) {
      status = exit.mustChange;
    }
  } finally {
    lines.close();
    await client.end();
  }
  return status;
}

/** Runs what psql's `--command` would, and nothing else. */
export async function runCommand(url: string, text: string): Promise<ExitCode> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await runStatement(client, text)) ? exit.done : exit.mustChange;
  } finally {
    await client.end();
  }
}

/** False, and the reason printed, when PostgreSQL refuses. */
async function runStatement(client: pg.Client, text: string): Promise<boolean> {
  try {
    const answer = await client.query({ text, rowMode: "array", types: asText });
    for (const one of [answer].flat()) sayResult(one);
    return true;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    fail(`ERROR: ${error.message}`);
    return false;
  }
}

/** As PostgreSQL writes them. */
const asText = { getTypeParser: () => (value: unknown) => value };

function sayResult({ command, rowCount, fields, rows }: pg.QueryArrayResult<unknown[]>): void {
  if (fields.length === 0) {
    say([command, rowCount].filter((part) => part !== null).join(" "));
    return;
  }
  const cells = rows.map((row) => row.map((value) => (value === null ? "" : String(value))));
  for (const line of alignColumns([fields.map(({ name }) => name), ...cells])) say(line);
  sayAside(`(${rows.length} ${rows.length === 1 ? "row" : "rows"})`);
}
