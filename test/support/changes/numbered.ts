import { expect } from "vitest";
import { sequenceChanges } from "../../../runtime/changes/index.js";
import type { Queryable } from "../../../runtime/db/index.js";

/** Numbers all changes, though another process may be about to do so. */
export async function numberAll(db: Queryable): Promise<void> {
  const left = async () => {
    await sequenceChanges(db);
    return db.query("select from service.changes_new");
  };
  await expect.poll(left).toEqual([]);
}
