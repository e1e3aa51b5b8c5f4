import { v7 as uuid } from "uuid";
import { lockClasses } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import { newFileKey } from "../objects/key.js";
import type { UploadServices } from "../objects/services.js";
import type { UploadTarget } from "../receive/receive.js";
import { insertResumable, type NewResumable, pendingOf } from "./store.js";

/** Maximum number of open uploads per account. */
const mostOpen = 100;

type Announced = Pick<NewResumable, "sender" | "length" | "name" | "contentType" | "metadata">;

/** Records a new upload. 429 if the account has too many open uploads, or their total size is too large. */
export async function begin(
  { db, clock, config }: UploadServices,
  { resource, field, takes }: UploadTarget,
  announced: Announced,
): Promise<{ readonly id: string; readonly expiresAt: Date }> {
  const { hours = 0, pendingBytes = 0 } = config.uploads.resumable ?? {};
  const { sender, length, name } = announced;
  const id = uuid({ msecs: clock.now().getTime() });
  // The original bytes of a picture are never served.
  const isPrivate = takes.kind === "image" || takes.isPrivate === true;
  const key = newFileKey({ resource, field, name }, clock.now());
  return db.transaction(async (tx) => {
    await tx.query("select pg_advisory_xact_lock($1, hashtext($2))", [
      lockClasses.newUpload,
      sender,
    ]);
    const { count, bytes } = await pendingOf(tx, sender);
    if (count >= mostOpen) refuse("TOO_MANY_REQUESTS", { error: `${mostOpen} uploads are open` });
    if (bytes + length > pendingBytes) {
      const error = `The open uploads would have more than ${pendingBytes} bytes in total`;
      refuse("TOO_MANY_REQUESTS", { error });
    }
    const made = { ...announced, id, resource, field, key, isPrivate, hours };
    return { id, expiresAt: await insertResumable(tx, made) };
  });
}
