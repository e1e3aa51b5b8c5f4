import { type Problem, problemSentence, withHint } from "../../values/problem.js";

/** Stops the start; holds every problem of one reading, with a line for each in its message. */
export class ConfigError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map((one) => withHint(problemSentence(one), one.hint)).join("\n"));
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/** A problem of the environment, which has no place in a file. */
export function environmentProblem(message: string, hint: string | null = null): Problem {
  return { file: "environment", line: 1, column: 1, message, hint };
}
