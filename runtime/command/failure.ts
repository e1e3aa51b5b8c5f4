import { lstatSync } from "node:fs";
import { ConfigError } from "../config/index.js";
import { connectionProblem } from "../db/index.js";
import { type BodyIssue, Refusal } from "../errors/index.js";
import { MigrationError } from "../migrate/index.js";
import { StorageError } from "../uploads/at-start.js";
import { problemSentence } from "../values/problem.js";
import { CommandRefused, type ExitCode, exit } from "./exit.js";
import { fail, failWithBug } from "./report.js";

/**
 * Prints the error that ended a command and returns its exit status; an unknown error is a bug in
 * the tool. `report` prints an error that the user can fix; it returns false for any other.
 */
export function reportFailure(error: unknown, report = reportKnown): ExitCode {
  if (report(error)) return error instanceof CommandRefused ? error.exitCode : exit.mustChange;
  failWithBug(error);
  return exit.ourBug;
}

/** Prints an error that the user can fix; returns false, and prints nothing, for any other. */
export function reportKnown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof ConfigError) {
    for (const problem of error.problems) fail(problemSentence(problem), problem.hint);
    return true;
  }
  if (error instanceof MigrationError) {
    for (const { message, hint } of error.problems) fail(message, hint);
    return true;
  }
  if (error instanceof CommandRefused || error instanceof StorageError) {
    fail(error.message, error.hint);
    return true;
  }
  if (error instanceof Refusal) {
    const { issues = [] } = error.details;
    for (const issue of issues) if ("path" in issue) fail(sentenceAbout(issue));
    if (issues.length === 0) fail(error.message);
    return true;
  }
  const problem = connectionProblem(error);
  if (problem === null) return reportDisk(error);
  fail(problem.message, problem.hint);
  return true;
}

/** `The password must have at least 8 characters`, from an issue whose message follows its path. */
function sentenceAbout({ path, message }: BodyIssue): string {
  return `The ${path} ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
}

/**
 * Prints the error of a file that cannot be read or written, which the user can fix. Returns false for any other error.
 */
function reportDisk(error: NodeJS.ErrnoException): boolean {
  const hint = hasNoTarget(error)
    ? "the target of that link is missing"
    : diskFailures[error.code ?? ""];
  if (hint === undefined) return false;
  fail(error.message, hint);
  return true;
}

/**
 * Whether the path is a symbolic link without a target, which is the only path that exists and cannot be found. Any
 * other missing file would be a bug in the tool.
 */
function hasNoTarget({ code, path }: NodeJS.ErrnoException): boolean {
  if (code !== "ENOENT" || path === undefined) return false;
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

const diskFailures: Readonly<Record<string, string>> = {
  EACCES: "check the permissions of that path and the account that runs the command",
  EPERM: "check the permissions of that path and the account that runs the command",
  EEXIST: "there is a file where a folder is expected",
  ENOTDIR: "there is a file where a folder is expected",
  EISDIR: "there is a folder where a file is expected",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full, or the limit of watched files is reached",
  EDQUOT: "the disk quota is used up",
};
