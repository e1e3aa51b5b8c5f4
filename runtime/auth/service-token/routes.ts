import { z } from "zod";
import { refuse } from "../../errors/index.js";
import type { Answer, Context, HandledRoute } from "../../http/index.js";
import { isUuid } from "../../values/uuid.js";
import { nameShape } from "../account/input.js";
import { readBody } from "../input.js";
import { lockCallerAccount, requireCaller, requireFreshSession } from "../session/caller.js";
import { addToken, listOwnTokens, removeToken } from "./tokens.js";

const path = "/auth/service-tokens";

export const serviceTokenRoutes: readonly HandledRoute[] = [
  { method: "GET", path, access: "signed-in", handle: list },
  { method: "POST", path, access: "signed-in", handle: add },
  { method: "DELETE", path: `${path}/:id`, access: "signed-in", handle: remove },
];

const maxDays = 3650;
const error = `Must be a whole number from 1 to ${maxDays}, or null`;

export const newTokenShape = z.strictObject({
  name: nameShape,
  /** Null: valid until revoked; omitted: valid for as long as a sign-in. */
  days: z.int({ error }).min(1, { error }).max(maxDays, { error }).nullable().optional(),
});

async function list(context: Context): Promise<Answer> {
  const data = await listOwnTokens(context.services, requireCaller(context).accountId);
  return { status: 200, json: JSON.stringify({ data }) };
}

async function add(context: Context): Promise<Answer> {
  const { services } = context;
  await requireFreshSession(context);
  const { name, days } = await readBody(context, newTokenShape);
  const added = await services.db.ofResource("users").transaction(async (db) => {
    const account = await lockCallerAccount(db, context);
    const lifetime = days === undefined ? null : (days ?? "never");
    return addToken({ ...services, db }, account, { name, days: lifetime, by: account.id });
  });
  if (added.kind === "too-many") {
    refuse("REFUSED", { error: `An account has at most ${added.limit} service tokens` });
  }
  return { status: 201, json: JSON.stringify({ ...added.shown, token: added.token }) };
}

async function remove(context: Context): Promise<Answer> {
  const { id = "" } = context.params;
  await requireFreshSession(context);
  if (!isUuid(id)) refuse("NOT_FOUND");
  const isRevoked = await context.services.db.ofResource("users").transaction(async (db) => {
    const { id: accountId } = await lockCallerAccount(db, context);
    return removeToken({ ...context.services, db }, { id, accountId, by: accountId });
  });
  return isRevoked ? { status: 204, json: null } : refuse("NOT_FOUND");
}
