import { styleText } from "node:util";
import { formatProblem, type Problem } from "../values/problem.js";
import { oneLine } from "../values/text.js";
import { withAppFolder } from "./app/command-line.js";

/** Prints a line about the command's work to standard output. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a step that takes a while, or a remark that is not part of the result. */
export function sayAside(line: string): void {
  process.stdout.write(`${onOutput.dim(withAppFolder(line))}\n`);
}

export function sayDone(line: string): void {
  process.stdout.write(`${onOutput.green(line)}\n`);
}

/** Prints the output of `--json`: one document and nothing else. */
export function sayJson(value: object): void {
  const advice = new Set(["hint", "fix"]);
  const pasteable = (key: string, text: unknown) =>
    advice.has(key) && typeof text === "string" ? withAppFolder(text) : text;
  process.stdout.write(`${JSON.stringify(value, pasteable, 2)}\n`);
}

/** The result of a check: fine, a warning, or an error to fix. */
export interface Finding {
  readonly check: string;
  readonly state: "ok" | "warning" | "problem";
  readonly found: string;
  /** How to fix it; null if there is nothing to fix. */
  readonly fix: string | null;
}

export function sayFinding({ check, state, found, fix }: Finding): void {
  const paint = { ok: onOutput.green, warning: onOutput.yellow, problem: onOutput.red }[state];
  say(`${paint(state.padEnd(9))}${check}: ${found}`);
  if (fix !== null) say(onOutput.dim(`  hint: ${withAppFolder(fix)}`));
}

/** Prints a warning to standard error, separately from results. */
export function warn(line: string): void {
  process.stderr.write(`${onErrors.yellow(withAppFolder(line))}\n`);
}

/** Prints progress to standard error, so that a program can read the result. */
export function sayProgress(line: string): void {
  process.stderr.write(`${onErrors.dim(line)}\n`);
}

/** Prints a message about wrong user data to standard error, unchanged. */
export function sayAbout(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Writes a line of the terminal that is rewritten each time; an empty text clears it. Null without a terminal. */
export function rewrittenLine(): ((text: string) => void) | null {
  const { isTTY, columns } = process.stderr;
  if (!isTTY) return null;
  // Returns to the start of the line and clears it.
  const most = (columns || usualColumns) - 1;
  return (text) => void process.stderr.write(`\r\u001b[2K${text.slice(0, most)}`);
}

/** The width of a terminal that reports an unknown width as 0. */
const usualColumns = 80;

/** Prints the reason why a command does not do what was requested. */
export function fail(message: string, hint: string | null = null): void {
  process.stderr.write(`${onErrors.red(withAppFolder(message))}\n`);
  if (hint !== null) process.stderr.write(`${onErrors.dim(`  hint: ${withAppFolder(hint)}`)}\n`);
}

/** Prints every problem as `file:line:column: message` with its hint below, and the number of problems. */
export function failProblems(problems: readonly Problem[], outcome = "nothing was written"): void {
  for (const problem of problems) {
    const [sentence, ...hint] = formatProblem(problem).split("\n");
    process.stderr.write(`${sentence}\n`);
    for (const line of hint) process.stderr.write(`${onErrors.dim(withAppFolder(line))}\n`);
  }
  fail(`${count(problems.length, "problem")}; ${outcome}`);
}

/** Prints a bug in the tool with all details that help to fix it. */
export function failWithBug(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  fail("This is a bug in service, not in your app:");
  process.stderr.write(`${quotable(text)}\n`);
}

/** Maximum number of characters of a bug report: its message may quote an entire value of a row. */
const maxBug = 20_000;

/** Removes control characters, except line breaks, so that the text cannot control the terminal. */
function quotable(text: string): string {
  const begin = text.length > maxBug ? `${text.slice(0, maxBug)}…` : text;
  return begin.replaceAll(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, " ").toWellFormed();
}

/** Prints the output of another program (a compiler, the help) unchanged. */
export function passOn(text: string): void {
  process.stdout.write(text);
}

/** Prints text to standard error unchanged. */
export function passOnError(text: string): void {
  process.stderr.write(text);
}

/** Returns `1 file`, `2 files`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** The stream for questions and the echo of typed text, separate from results. */
export const questionOutput: NodeJS.WritableStream = process.stderr;

/** The stream for results that are not lines, such as files of records. */
export const outputStream: NodeJS.WritableStream = process.stdout;

/** Whether the error means that the reader of the output has exited. */
export function hasNoReader(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return code === "EPIPE" || code === "ERR_STREAM_PREMATURE_CLOSE";
}

/** The format of results: for readers on a terminal, otherwise for programs. */
export function outputTerminal(): { readonly isTerminal: boolean; readonly hasColours: boolean } {
  const isTerminal = process.stdout.isTTY === true;
  return { isTerminal, hasColours: isTerminal && process.stdout.hasColors() };
}

/** Whether printed output was lost and the user has been informed. */
let isLost = false;

/**
 * Lets a command run to its end if its output cannot be written, so that no work stops halfway. A reader may exit
 * early, as `head` does; any other error, such as a full disk, is reported once.
 */
export function tolerateLostOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || isLost) return;
    isLost = true;
    fail(
      `Standard output cannot be written: ${oneLine(error.message)}`,
      "free space on its disk, or redirect it elsewhere",
    );
  });
  // An error of standard error cannot be reported anywhere.
  process.stderr.on("error", () => {});
}

/** Whether any output so far could not be written for a reason other than a reader that exited. */
export async function isOutputLost(): Promise<boolean> {
  // A stream reports its failure asynchronously.
  await new Promise((resolve) => setImmediate(resolve));
  return isLost;
}

const onOutput = coloursFor(process.stdout);
const onErrors = coloursFor(process.stderr);

/**
 * Whether to color the output. `hasColors` exists on terminals only, and respects NO_COLOR; elsewhere `isTTY` is
 * undefined.
 */
function coloursFor(stream: NodeJS.WriteStream) {
  const hasColours = stream.isTTY === true && stream.hasColors();
  const paint = (colour: "dim" | "green" | "red" | "yellow") => (text: string) =>
    hasColours ? styleText(colour, text, { validateStream: false }) : text;
  return { dim: paint("dim"), green: paint("green"), red: paint("red"), yellow: paint("yellow") };
}

export function sayTable(rows: readonly (readonly string[])[]): void {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) {
      widths[at] = Math.max(widths[at] ?? 0, lengthOf(cell));
    }
  }
  for (const row of rows) {
    const cells = row.map((cell, at) => cell + " ".repeat((widths[at] ?? 0) - lengthOf(cell)));
    say(cells.join("  ").trimEnd());
  }
}

/** The length in code points. */
function lengthOf(text: string): number {
  return [...text].length;
}

/** Returns `2030-01-31`, in UTC. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** Returns `2030-01-31 09:05:00`, in UTC. */
export function secondOf(time: Date): string {
  return time.toISOString().slice(0, 19).replace("T", " ");
}
