import { createInterface, type Interface } from "node:readline/promises";
import { Writable } from "node:stream";
import { acceptPasswordForm } from "../../auth/index.js";
import { CommandRefused } from "../exit.js";
import { passOnError } from "../report.js";

/**
 * Prompts twice for a new password without echo. A password that is too short or too long is refused before the second
 * prompt.
 */
export function promptPassword(): Promise<string> {
  return promptTwice("password", (password) => acceptPasswordForm({ password, path: "password" }));
}

/**
 * Prompts twice for a `password` or another named secret; `accept` refuses it by throwing, before the second prompt.
 */
export function promptTwice(name: string, accept: (secret: string) => void): Promise<string> {
  return withoutEcho(name, async (ask) => {
    const secret = await ask(`${name.charAt(0).toUpperCase()}${name.slice(1)}: `);
    accept(secret);
    if ((await ask(`Repeat the ${name}: `)) === secret) return secret;
    throw new CommandRefused(`The two ${name}s differ`);
  });
}

export function promptOnce(name: string): Promise<string> {
  return withoutEcho(name, (ask) => ask(`${name.charAt(0).toUpperCase()}${name.slice(1)}: `));
}

async function withoutEcho(
  name: string,
  work: (ask: (question: string) => Promise<string>) => Promise<string>,
): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // From here on, the terminal does not echo keys, so the prompts come later.
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const abort = new AbortController();
  // In this mode, Ctrl+C arrives as a key; Ctrl+D closes the input.
  lines.on("SIGINT", () => abort.abort()).on("close", () => abort.abort());
  try {
    return await work((question) => ask(lines, question, abort.signal));
  } catch (error) {
    if (abort.signal.aborted) throw new CommandRefused(`No ${name} was entered`);
    throw error;
  } finally {
    lines.close();
  }
}

async function ask(lines: Interface, question: string, signal: AbortSignal): Promise<string> {
  passOnError(question);
  try {
    return await lines.question("", { signal });
  } finally {
    passOnError("\n");
  }
}
