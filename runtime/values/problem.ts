/**
 * A mistake in what the user wrote. Problems are collected, never thrown one by one: a run reports
 * all of them and writes nothing.
 */
export interface Problem {
  /** Path of the file relative to the app's folder, with forward slashes. */
  readonly file: string;
  /** From 1; 1 where the mistake concerns the file as a whole. */
  readonly line: number;
  readonly column: number;
  /** One sentence: what is wrong, in the words of the descriptor. */
  readonly message: string;
  /** What to write instead, with an example where one helps. */
  readonly hint: string;
}

/** `resources/products.yaml:7:16: message`, and the hint on a line of its own. */
export function formatProblem({ file, line, column, message, hint }: Problem): string {
  return `${file}:${line}:${column}: ${message}\n  hint: ${hint}`;
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
