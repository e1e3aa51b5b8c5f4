import { refuse } from "../../errors/index.js";
import type { Answer, Context } from "../../http/index.js";
import { isUuid } from "../../values/uuid.js";
import { recordEvent } from "../event/record.js";
import { lockCallerAccount, requireCaller } from "../session/caller.js";
import { deleteGrant, listApps, lockGrant } from "./store.js";

/** `GET /auth/apps`. */
export async function list(context: Context): Promise<Answer> {
  const { db, clock } = context.services;
  const data = await listApps(db, requireCaller(context).accountId, clock.now());
  return { status: 200, json: JSON.stringify({ data }) };
}

/** `DELETE /auth/apps/:id`: invalidates all tokens of the app. */
export async function disconnect(context: Context): Promise<Answer> {
  const { db, clock } = context.services;
  const { id = "" } = context.params;
  if (!isUuid(id)) refuse("NOT_FOUND");
  const isFound = await db.transaction(async (tx) => {
    const { id: accountId } = await lockCallerAccount(tx, context);
    const grant = await lockGrant(tx, { column: "id", value: id }, clock.now());
    if (grant === null || grant.accountId !== accountId) return false;
    await deleteGrant(tx, grant.id);
    await recordEvent({ db: tx, clock }, { kind: "app-disconnected", accountId, by: accountId });
    return true;
  });
  return isFound ? { status: 204, json: null } : refuse("NOT_FOUND");
}
