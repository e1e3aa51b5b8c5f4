import { beginHistories } from "../../changes/index.js";
import { type Pruned, pruneNow, UnreadableTable } from "../../uploads/index.js";
import { historiesOf } from "../app/histories.js";
import { withAppServices } from "../app/services.js";
import { CommandRefused, type ExitCode, exit } from "../exit.js";
import { count, fail, sayAside, sayDone, sayJson, sayProgress, warn } from "../report.js";

export interface UploadsPruneOptions {
  readonly json?: true;
}

/** Deletes uploads that have been unused for a day; exits with 1 if some could not be removed from the storage. */
export async function pruneUploads(root: string, { json }: UploadsPruneOptions): Promise<ExitCode> {
  const pruned = await withAppServices(root, async (services) => {
    try {
      // Files in history entries are in use.
      await beginHistories(services.db, historiesOf(services.config.root));
      return await pruneNow(services, () =>
        sayProgress("A server is pruning; waiting for it to finish"),
      );
    } catch (error) {
      if (error instanceof UnreadableTable) throw new CommandRefused(error.message, error.hint);
      throw error;
    }
  });
  if (json) sayJson(pruned);
  else report(pruned);
  if (pruned.warning !== null) warn(pruned.warning);
  if (pruned.reason === null) return exit.done;
  fail(
    pruned.failed === 0
      ? pruned.reason
      : `The storage failed to remove ${count(pruned.failed, "object")}: ${pruned.reason}`,
    "fix the storage, then run the command again to delete the rest",
  );
  return exit.mustChange;
}

function report({ uploads, objects, bytes }: Pruned): void {
  if (uploads + objects === 0) {
    sayAside("There is nothing to delete");
    return;
  }
  const stored = `${count(objects, "stored object")}, ${count(bytes, "byte")}`;
  sayDone(`${count(uploads, "upload")} deleted (${stored})`);
}
