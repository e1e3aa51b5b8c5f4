import { UnusablePath } from "../generator/output/unusable.js";
import type { ExitCode } from "../runtime/command/exit.js";
import {
  reportFailure as reportFailureBy,
  reportKnown as reportKnownOfRuntime,
} from "../runtime/command/failure.js";
import { fail } from "../runtime/command/report.js";

/** Prints the error that ended a command and returns its exit status. An unknown error is a bug in the tool. */
export function reportFailure(error: unknown): ExitCode {
  return reportFailureBy(error, reportKnown);
}

/** Prints an error that the user can fix; returns false, and prints nothing, for any other error. */
export function reportKnown(error: unknown): boolean {
  if (!(error instanceof UnusablePath)) return reportKnownOfRuntime(error);
  fail(error.message, error.hint);
  return true;
}
