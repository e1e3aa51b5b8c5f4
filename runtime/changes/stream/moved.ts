import type { Queryable } from "../../db/index.js";
import type { LoggedChange } from "../log/read.js";
import type { Group } from "./reader.js";

/**
 * Whether changes of other tables have moved what the readers of a group own: of a link on the way to the owner, or of a
 * membership. Such a group has one account.
 */
export async function isMoved(
  db: Queryable,
  { watched, account }: Pick<Group, "watched" | "account">,
  changes: readonly LoggedChange[],
): Promise<boolean> {
  for (const { text, resource } of watched.flatMap(({ moves }) => moves)) {
    const numbers = changes.flatMap((change) => (change.resource === resource ? [change.n] : []));
    if (numbers.length === 0) continue;
    const moved = await db.query(text, [numbers, account]);
    if (moved.length > 0) return true;
  }
  return false;
}
