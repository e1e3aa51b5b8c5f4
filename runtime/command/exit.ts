/** The command's exit status; docs/commands.md lists them. */
export const exit = { done: 0, mustChange: 1, wrongUsage: 2, ourBug: 70 } as const;

export type ExitCode = (typeof exit)[keyof typeof exit];

/** The context of a command: its folders, and the recipient of its exit status. */
export interface CommandFrame {
  /** The folder given with `-C`, as typed; `.` if it was not given. */
  folder(): string;
  /** The absolute path of the app's folder. */
  root(): string;
  finish(code: ExitCode): void;
}

/** Ends a command with a message for its user, and a hint if the message does not say what to do. */
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
