/**
 * A mistake in what the user wrote: a descriptor, `service.yaml`, a variable. Problems are collected, never
 * thrown one by one: a run reports all of them and does nothing else. None carries a value that may be secret.
 */
export interface Problem {
  /** Path of the file relative to the app's folder, with forward slashes; `environment` for a variable. */
  readonly file: string;
  /** From 1; 1 where the mistake concerns the file as a whole. */
  readonly line: number;
  readonly column: number;
  /** One sentence: what is wrong, in the words of the file. */
  readonly message: string;
  /** What to do about it, with an example where one helps; null where the message says it already. */
  readonly hint: string | null;
}

/** `resources/products.yaml:7:16: message`, without the hint. */
export function problemSentence({ file, line, column, message }: Problem): string {
  const place = file === "environment" ? file : `${file}:${line}:${column}`;
  return `${place}: ${message}`;
}

/** The sentence, and the hint on the next line. */
export function formatProblem(problem: Problem): string {
  const { hint } = problem;
  return problemSentence(problem) + (hint === null ? "" : `\n  hint: ${hint}`);
}

/** One line, since a log takes lines: the sentence, and the hint in parentheses where there is one. */
export function withHint(message: string, hint: string | null): string {
  const line = hint === null ? message : `${message} (${hint})`;
  return line.replace(/\s*\n\s*/g, " ");
}

/** In the order in which people read them: by file, then from top to bottom. */
export function compareProblems(a: Problem, b: Problem): number {
  return (
    compareText(a.file, b.file) ||
    a.line - b.line ||
    a.column - b.column ||
    compareText(a.message, b.message)
  );
}

/** By code unit: the same order everywhere, whatever the machine's language. */
function compareText(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  return a < b ? -1 : 1;
}
