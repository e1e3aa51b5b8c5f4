/** The reason why a backup cannot be made or restored, as a sentence without its period, and how to fix it. */
export class BackupProblem extends Error {
  readonly hint: string | null;

  constructor(message: string, hint: string | null = null) {
    super(message);
    this.name = "BackupProblem";
    this.hint = hint;
  }
}
