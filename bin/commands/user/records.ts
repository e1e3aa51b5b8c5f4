import { findDescriptors } from "../../../generator/descriptor/find.js";
import { readDescriptors } from "../../../generator/descriptor/read.js";
import { holdsAccounts } from "../../../generator/emit/accounts.js";
import { deletedAccount, deletionValues } from "../../../generator/emit/deletion.js";
import { accountMemberships } from "../../../generator/emit/table/owner.js";
import { resolveModel } from "../../../generator/resolve/resolve.js";
import { accountRecordsOf } from "../../../runtime/app/index.js";
import type { AccountRecords } from "../../../runtime/auth/index.js";
import { CommandRefused } from "../../exit.js";

/** What deleting an account means for the records of an app, by its descriptors. */
export function accountRecordsIn(root: string): AccountRecords {
  const { model } = resolveModel(readDescriptors(findDescriptors(root)), null);
  if (model === null) {
    throw new CommandRefused("The descriptors have problems", "run: npx service generate --check");
  }
  if (!holdsAccounts(model)) return accountRecordsOf(null);
  const memberships = accountMemberships(model);
  return accountRecordsOf({ ...deletionValues(deletedAccount(model)), memberships });
}
