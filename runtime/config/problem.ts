/** A mistake of the operator, in `service.yaml` or in the environment. Never carries a value that may be secret. */
export interface ConfigProblem {
  /** Path relative to the app's folder, or `environment`. */
  readonly file: string;
  /** From 1; 1 where the mistake concerns the file as a whole. */
  readonly line: number;
  readonly column: number;
  /** One sentence: what was expected. */
  readonly message: string;
  /** What to do about it; null where the message says it already. */
  readonly hint: string | null;
}

/** Stops the start; holds every problem of one reading, a line each in its message. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(sentence).join("\n"));
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/** A problem of the environment: it has no place in a file. */
export function environmentProblem(message: string, hint: string | null = null): ConfigProblem {
  return { file: "environment", line: 1, column: 1, message, hint };
}

function sentence({ file, line, column, message, hint }: ConfigProblem): string {
  const place = file === "environment" ? file : `${file}:${line}:${column}`;
  return hint === null ? `${place}: ${message}` : `${place}: ${message} (${hint})`;
}
