import { createInterface, type Interface } from "node:readline/promises";
import { Writable } from "node:stream";
import { acceptPasswordForm } from "../../../runtime/auth/index.js";
import { CommandRefused } from "../../exit.js";
import { passOnError } from "../../report.js";

/**
 * Asks twice for a new password on the terminal, without showing it. One that is too short or too long is
 * refused before it has to be repeated.
 */
export async function promptPassword(): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // From here on the terminal does not echo keys, so the questions come after it.
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const abort = new AbortController();
  // In this mode Ctrl+C arrives as a key; Ctrl+D closes.
  lines.on("SIGINT", () => abort.abort()).on("close", () => abort.abort());
  try {
    const password = await ask(lines, "Password: ", abort.signal);
    acceptPasswordForm({ password, path: "password" });
    if ((await ask(lines, "Repeat the password: ", abort.signal)) === password) return password;
  } catch (error) {
    if (abort.signal.aborted) throw new CommandRefused("No password was given");
    throw error;
  } finally {
    lines.close();
  }
  throw new CommandRefused("The two passwords differ");
}

async function ask(lines: Interface, question: string, signal: AbortSignal): Promise<string> {
  passOnError(question);
  try {
    return await lines.question("", { signal });
  } finally {
    passOnError("\n");
  }
}
