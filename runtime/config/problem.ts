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

/** Stops the start; holds every problem of one reading, with a line for each in its message. */
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

/** One line, since a log takes lines: the sentence, and in parentheses what to do where there is a hint. */
export function withHint(message: string, hint: string | null): string {
  const line = hint === null ? message : `${message} (${hint})`;
  return line.replace(/\s*\n\s*/g, " ");
}

/** `service.yaml:1:1: sever is not a setting`, without its hint. */
export function sentenceOf({ file, line, column, message }: ConfigProblem): string {
  const place = file === "environment" ? file : `${file}:${line}:${column}`;
  return `${place}: ${message}`;
}
