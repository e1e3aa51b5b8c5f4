import { refuse } from "../../errors/index.js";
import {
  type Answer,
  type Context,
  type HandledRoute,
  refuseUnauthenticated,
} from "../../http/index.js";
import { notOwnPictureMessage, profileChangeShape } from "../account/input.js";
import { isOperator } from "../account/is-operator.js";
import { readBody } from "../input.js";
import { requireCaller } from "../session/caller.js";
import { findProfile, findViewer, updateProfile, type Viewer } from "./store.js";

export const accountRoutes: readonly HandledRoute[] = [
  { method: "GET", path: "/auth/me", access: "signed-in", handle: readMe },
  { method: "PATCH", path: "/auth/me", access: "signed-in", handle: changeMe },
];

async function readMe(context: Context): Promise<Answer> {
  const { accountId, sessionId } = requireCaller(context);
  const { config, db } = context.services;
  const profile = await findProfile(db, accountId);
  // The account may have been deleted since the token was checked.
  if (profile === null) return refuseUnauthenticated();
  const viewer = await viewerOf(context);
  const body = {
    user: { ...profile, image: profile.avatar },
    session: { id: sessionId },
    operator: isOperator(config, profile),
    ...(viewer !== null && { viewer }),
  };
  return { status: 200, json: JSON.stringify(body) };
}

async function viewerOf({ caller, services }: Context): Promise<Viewer | null> {
  if (caller?.viewer === undefined) return null;
  return (await findViewer(services.db, caller.viewer)) ?? refuseUnauthenticated();
}

async function changeMe(context: Context): Promise<Answer> {
  const { db, clock } = context.services;
  const { accountId } = requireCaller(context);
  const change = await readBody(context, profileChangeShape);
  if (Object.keys(change).length > 0) {
    const changed = await updateProfile(db, { id: accountId, change, now: clock.now() });
    if (!changed && typeof change.avatar === "string") {
      refuse("INVALID", { issues: [{ path: "avatar", message: notOwnPictureMessage }] });
    }
  }
  return readMe(context);
}

/** Sets the picture of the caller's account to a file that the caller has just uploaded. */
export async function setPicture(context: Context, avatar: string): Promise<void> {
  const { db, clock } = context.services;
  const { accountId } = requireCaller(context);
  const isSet = await updateProfile(db, { id: accountId, change: { avatar }, now: clock.now() });
  // The account may have been deleted since the token was checked.
  if (!isSet) refuseUnauthenticated();
}
