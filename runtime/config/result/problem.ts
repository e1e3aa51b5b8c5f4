import { type Problem, problemSentence, withHint } from "../../values/problem.js";

/** An error that prevents startup; its message has a line for each problem. */
export class ConfigError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map((one) => withHint(problemSentence(one), one.hint)).join("\n"));
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/** Returns a problem of the environment, which has no position in a file. */
export function environmentProblem(message: string, hint: string | null = null): Problem {
  return { file: "environment", line: 1, column: 1, message, hint };
}
