import { refuse } from "../../errors/index.js";
import type { Answer, Context, HandledRoute } from "../../http/index.js";
import type { EventKind } from "../../values/api/event-kinds.js";
import { isUuid } from "../../values/uuid.js";
import { nextGeneration } from "../account/store.js";
import { recordEvent } from "../event/record.js";
import { lockCallerAccount, refuseServiceToken, requireCaller } from "./caller.js";
import { listSessions } from "./devices.js";
import type { SessionKind } from "./kind.js";
import { deleteSession, deleteSessions } from "./store.js";

export const sessionRoutes: readonly HandledRoute[] = [
  { method: "GET", path: "/auth/sessions", access: "signed-in", handle: listDevices },
  { method: "DELETE", path: "/auth/sessions", access: "signed-in", handle: signOutOthers },
  { method: "DELETE", path: "/auth/sessions/:id", access: "signed-in", handle: signOutOne },
  { method: "DELETE", path: "/auth/token", access: "signed-in", handle: signOut },
];

async function listDevices(context: Context): Promise<Answer> {
  const { services } = context;
  const now = services.clock.now();
  const data = await listSessions(services, { ...requireCaller(context), now });
  return { status: 200, json: JSON.stringify({ data }) };
}

/**
 * Signs out all other devices, including sign-ins in progress. Emailed codes and links and pending setups stay valid:
 * they are not devices.
 */
async function signOutOthers(context: Context): Promise<Answer> {
  const { sessionId } = requireCaller(context);
  await context.services.db.transaction(async (tx) => {
    const { id } = await lockCallerAccount(tx, context);
    await nextGeneration(tx, id);
    await deleteSessions(tx, id, sessionId);
    await recordEvent(
      { ...context.services, db: tx },
      { kind: "sessions-ended", accountId: id, by: id },
    );
  });
  return { status: 204, json: null };
}

async function signOutOne(context: Context): Promise<Answer> {
  const { id = "" } = context.params;
  if (id.toLowerCase() !== requireCaller(context).sessionId) await refuseServiceToken(context);
  const isFound = isUuid(id) && (await signOutDevice(context, id));
  return isFound ? { status: 204, json: null } : refuse("NOT_FOUND");
}

async function signOut(context: Context): Promise<Answer> {
  await signOutDevice(context, requireCaller(context).sessionId);
  return { status: 204, json: null };
}

/** The event that records the end of each kind of session. */
const endings: Readonly<Record<SessionKind, EventKind>> = {
  device: "signed-out",
  view: "signed-out",
  app: "app-disconnected",
  "service-token": "token-revoked",
};

function signOutDevice(context: Context, id: string): Promise<boolean> {
  const { db, clock } = context.services;
  const { accountId } = requireCaller(context);
  return db.transaction(async (tx) => {
    const ended = await deleteSession(tx, { id, accountId, now: clock.now() });
    if (ended === null) return false;
    await recordEvent({ db: tx, clock }, { kind: endings[ended], accountId, by: accountId });
    return true;
  });
}
