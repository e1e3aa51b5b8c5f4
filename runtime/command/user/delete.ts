import { deleteAccount } from "../../auth/index.js";
import { removeObjectsNow } from "../../uploads/index.js";
import { type ExitCode, exit } from "../exit.js";
import { sayDone, warn } from "../report.js";
import { type UserOptions, withAccount } from "./account.js";
import { accountRecordsIn } from "./records.js";

/** Deletes an account with its data. Refused if records are required to belong to it. */
export async function deleteUser(root: string, { email }: UserOptions): Promise<ExitCode> {
  const records = accountRecordsIn(root);
  const account = await withAccount(root, email, async (services, address) => {
    const deleted = await deleteAccount(services, { email: address, records });
    if (deleted !== null) {
      const reason = await removeObjectsNow(services);
      if (reason !== null)
        warn(`Pictures remain in the storage; servers retry the deletion: ${reason}`);
    }
    return deleted;
  });
  sayDone(`${account.email} is deleted`);
  return exit.done;
}
