/** The command's exit status; the table is in docs/commands.md. */
export const exit = { done: 0, mustChange: 1, wrongUsage: 2, ourBug: 70 } as const;

export type ExitCode = (typeof exit)[keyof typeof exit];

/** Where a command is run, and where its exit status goes. */
export interface CommandFrame {
  /** The folder that `-C` names, as it was typed; `.` where it names none. */
  folder(): string;
  /** The app's folder, absolute. */
  root(): string;
  finish(code: ExitCode): void;
}

/** Ends a command with a sentence for its user, and a hint where the sentence does not say what to do. */
export class CommandRefused extends Error {
  readonly hint: string | null;
  readonly exitCode: ExitCode;

  constructor(message: string, hint: string | null = null, exitCode: ExitCode = exit.mustChange) {
    super(message);
    this.name = "CommandRefused";
    this.hint = hint;
    this.exitCode = exitCode;
  }
}
