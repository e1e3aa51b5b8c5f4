import type { Queryable } from "../../db/index.js";
import type { LoggedChange } from "../log/read.js";
import type { Group } from "./reader.js";

/**
 * Whether changes of other tables have changed which records the readers of a group own: a link on the path to the owner,
 * or a membership. All readers of such a group are of one account.
 */
export async function hasOwnershipChanged(
  db: Queryable,
  { watched, account }: Pick<Group, "watched" | "account">,
  changes: readonly LoggedChange[],
): Promise<boolean> {
  for (const { text, resource } of watched.flatMap((one) => one.ownershipChecks)) {
    const numbers = changes.flatMap((change) => (change.resource === resource ? [change.n] : []));
    if (numbers.length === 0) continue;
    const found = await db.query(text, [numbers, account]);
    if (found.length > 0) return true;
  }
  return false;
}
