import { type Problem, withHint } from "../values/problem.js";

/** A problem that prevents the server from starting and does not come from a file. */
export type StartProblem = Pick<Problem, "message" | "hint">;

/** The server cannot start; the message has a line for each problem. */
export class StartRefused extends Error {
  constructor(...problems: readonly StartProblem[]) {
    super(problemLines(problems));
  }
}

/** One line per problem, with its hint. */
export function problemLines(problems: readonly StartProblem[]): string {
  return problems.map(({ message, hint }) => withHint(message, hint)).join("\n");
}
