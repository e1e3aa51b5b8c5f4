import { BackupProblem } from "../../backup/index.js";
import { StorageError } from "../../uploads/index.js";
import { CommandRefused } from "../exit.js";

/** Runs the work; a problem that the user can fix ends the command with its message and hint. */
export async function reportingProblems<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BackupProblem) throw new CommandRefused(error.message, error.hint);
    if (!(error instanceof StorageError)) throw error;
    throw new CommandRefused(
      `The file storage fails: ${error.message}`,
      error.hint ?? "fix it, and run the command again; npx service doctor tests it",
    );
  }
}
