import { connectionProblem, messageOf } from "../../db/index.js";
import { Refusal } from "../../errors/index.js";
import { UnansweredCommit } from "../session/transaction.js";
import { WrongName } from "./plan.js";

/** Why an import cannot begin, or ended early. */
export interface ImportProblem {
  readonly message: string;
  readonly hint: string | null;
}

/** Returns the problem if the user can fix it; null for any other error. */
export function problemOf(error: unknown): ImportProblem | null {
  if (error instanceof WrongName) return { message: error.message, hint: error.hint };
  return connectionProblem(error);
}

const unansweredHint =
  "with --on-error skip, --resume continues at the right row; otherwise check whether one of these rows is stored before you run the import again";

/** Why an import ended early; null for a bug in the package. */
export function failureOf(error: unknown): ImportProblem | null {
  if (error instanceof Refusal) return { message: error.message, hint: null };
  if (error instanceof UnansweredCommit) return { message: error.message, hint: unansweredHint };
  const problem = problemOf(error);
  if (problem !== null) return problem;
  if (!(error instanceof Error)) return null;
  if (error.name === "AppCodeFailed") {
    const { cause } = error;
    const why = cause instanceof Error ? `: ${messageOf(cause)}` : "";
    return { message: `${error.message}${why}`, hint: null };
  }
  const code = "code" in error ? String(error.code) : "";
  // A full disk, an unreadable file, or an error of PostgreSQL.
  return /^(E[A-Z]+|[0-9A-Z]{5})$/.test(code) ? { message: messageOf(error), hint: null } : null;
}
