import { createInterface } from "node:readline";
import pg from "pg";
import { connectionTo, messageOf, readAddress, withoutDoubtfulHost } from "../../db/index.js";
import { type ExitCode, exit } from "../exit.js";
import { fail, questionOutput, say, sayAside, sayTable } from "../report.js";

/**
 * Reads statements, each up to a `;` at the end of a line, and prints their results, for machines without psql. Ends at
 * the end of its input, or with `\q`, `exit` or `quit`. Without a terminal, the first refused statement ends it with
 * exit status 1.
 */
export async function promptStatements(url: string): Promise<ExitCode> {
  const client = await connect(url);
  const isTyped = process.stdin.isTTY === true;
  const lines = createInterface({
    input: process.stdin,
    terminal: isTyped,
    // Echoes typed text, separately from the results.
    ...(isTyped && { output: questionOutput }),
  });
  if (isTyped) sayAside("End each statement with ; and quit with \\q (psql is not installed here)");
  const { database } = readAddress(url);
  let text = "";
  const ask = () => {
    if (!isTyped) return;
    const isBegun = text.trim() !== "";
    lines.setPrompt(isBegun ? `${" ".repeat(database.length)} -> ` : `${database} => `);
    lines.prompt();
  };
  let status: ExitCode = exit.done;
  try {
    ask();
    for await (const line of lines) {
      if (text.trim() === "") {
        const word = line.trim();
        if (/^(?:\\q|exit|quit);?$/i.test(word)) break;
        if (word.startsWith("\\")) {
          fail(onlyQuit);
          if (!isTyped) {
            status = exit.mustChange;
            break;
          }
          ask();
          continue;
        }
      }
      text += `${line}\n`;
      if (/;\s*$/.test(line)) {
        const isDone = await runStatement(client, text);
        text = "";
        if (!isDone && !isTyped) {
          status = exit.mustChange;
          break;
        }
      }
      ask();
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

const onlyQuit =
  "this prompt supports only \\q; for the rest install psql (Debian: apt install postgresql-client)";

/** Runs one text of statements, like psql's `--command`. */
export async function runCommand(url: string, text: string): Promise<ExitCode> {
  const client = await connect(url);
  try {
    return (await runStatement(client, text)) ? exit.done : exit.mustChange;
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionTo(url) });
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw withoutDoubtfulHost(error, url);
  }
}

/** Prints the result; if PostgreSQL refuses the statement, prints the reason and returns false. */
async function runStatement(client: pg.Client, text: string): Promise<boolean> {
  try {
    const answer = await client.query({ text, rowMode: "array", types: asText });
    for (const one of [answer].flat()) sayResult(one);
    return true;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    fail(`ERROR: ${messageOf(error)}`);
    return false;
  }
}

/** Keeps values as PostgreSQL formats them. */
const asText = { getTypeParser: () => (value: unknown) => value };

function sayResult({ command, rowCount, fields, rows }: pg.QueryArrayResult<unknown[]>): void {
  if (fields.length === 0) {
    say([command, rowCount].filter((part) => part !== null).join(" "));
    return;
  }
  const cells = rows.map((row) => row.map((value) => (value === null ? "" : String(value))));
  sayTable([fields.map(({ name }) => name), ...cells]);
  sayAside(`(${rows.length} ${rows.length === 1 ? "row" : "rows"})`);
}
