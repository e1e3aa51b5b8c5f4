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

/** Stops the start; holds every problem of one reading, a line each in its message, its hint below it. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map((one) => withHint(sentenceOf(one), one.hint)).join("\n"));
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/** A problem of the environment: it has no place in a file. */
export function environmentProblem(message: string, hint: string | null = null): ConfigProblem {
  return { file: "environment", line: 1, column: 1, message, hint };
}

/** A sentence for the operator, and what to do about it on a line of its own where there is a hint. */
export function withHint(message: string, hint: string | null): string {
  return hint === null ? message : `${message}\n  hint: ${hint}`;
}

/** `service.yaml:1:1: sever is not a setting`, without its hint. */
export function sentenceOf({ file, line, column, message }: ConfigProblem): string {
  const place = file === "environment" ? file : `${file}:${line}:${column}`;
  return `${place}: ${message}`;
}
