/**
 * A mistake in a descriptor, `service.yaml` or a variable. Problems are collected instead of thrown: a run reports all
 * of them and does nothing else. None contains a value that may be secret.
 */
export interface Problem {
  /** Path of the file relative to the app's folder, with slashes; `environment` for a variable. */
  readonly file: string;
  /** One-based; 1 if the mistake concerns the whole file. */
  readonly line: number;
  readonly column: number;
  /** One sentence that describes the mistake, in the terms of the file. */
  readonly message: string;
  /** How to fix it, with an example if one helps; null if the message suffices. */
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

/** One line, for logs: the sentence, and the hint in parentheses if there is one. */
export function withHint(message: string, hint: string | null): string {
  const line = hint === null ? message : `${message} (${hint})`;
  return line.replace(/\s*\n\s*/g, " ");
}

/** Sorts problems by file, then by position. */
export function compareProblems(a: Problem, b: Problem): number {
  return (
    compareText(a.file, b.file) ||
    a.line - b.line ||
    a.column - b.column ||
    compareText(a.message, b.message)
  );
}

/** By code unit, so that the order is independent of the locale. */
function compareText(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  return a < b ? -1 : 1;
}
