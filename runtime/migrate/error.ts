import type { DatabaseProblem } from "../db/index.js";

/** Why migrations cannot be read, applied, undone or forgotten, with a hint for the operator. */
export class MigrationError extends Error {
  readonly hint: string;
  /** The problems to report, each with its own hint; most errors have one. */
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

/** A lock could not be acquired within a step's retry period. */
export class LockTimeout extends Error {
  constructor(waitedMs: number, holder: string | null, options: ErrorOptions) {
    const seconds = Math.round(waitedMs / 1000);
    const who = holder === null ? "" : `; it is held by ${holder}`;
    super(`a lock could not be acquired within ${seconds} s${who}`, options);
    this.name = "LockTimeout";
  }
}

/** A migration would fail on some rows or damage them. No part of it is applied. */
export class BlockedByRows extends MigrationError {
  readonly migration: string;

  constructor(migration: string, message: string, hint: string) {
    super(message, hint);
    this.migration = migration;
  }
}
