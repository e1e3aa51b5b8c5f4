import type { DoorServices } from "../../session/prove.js";
import { backupKey, readSealed } from "../sealed.js";
import { backupDigest } from "./codes.js";
import { deleteBackupCode } from "./store.js";

/** Uses a backup code up; false for a wrong one and for one that was used before. */
export async function spendBackupCode(
  door: DoorServices,
  accountId: string,
  code: string,
): Promise<boolean> {
  const key = await readSealed(door, { column: backupKey, accountId });
  return key !== null && (await deleteBackupCode(door.db, accountId, backupDigest(key, code)));
}
