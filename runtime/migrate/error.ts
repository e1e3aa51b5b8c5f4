import type { DatabaseProblem } from "../db/index.js";

/** Why migrations were not applied, or cannot be; the hint says what the operator can do. */
export class MigrationError extends Error {
  readonly hint: string;
  /** What is to be reported, each with a hint of its own; most errors are one. */
  readonly problems: readonly DatabaseProblem[];

  constructor(message: string, hint: string, { problems, ...options }: MigrationErrorOptions = {}) {
    super(message, options);
    this.name = "MigrationError";
    this.hint = hint;
    this.problems = problems ?? [{ message, hint }];
  }
}

interface MigrationErrorOptions extends ErrorOptions {
  readonly problems?: readonly DatabaseProblem[];
}

/** A lock was not to be had in all the time that a step tries. */
export class LockTimeout extends Error {
  constructor(waitedMs: number, holder: string | null, options: ErrorOptions) {
    const seconds = Math.round(waitedMs / 1000);
    const who = holder === null ? "" : `; it is held by ${holder}`;
    super(`a lock was not to be had within ${seconds} s${who}`, options);
    this.name = "LockNotHad";
  }
}

/** Rows that a migration would fail on or damage; nothing of it is applied. */
export class BlockedByRows extends MigrationError {
  /** The migration's name. */
  readonly migration: string;

  constructor(migration: string, message: string, hint: string) {
    super(message, hint);
    this.migration = migration;
  }
}
