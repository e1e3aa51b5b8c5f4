import {
  type Answer,
  type Context,
  type HandledRoute,
  refuseUnauthenticated,
} from "../../http/index.js";
import { findProfile, type Profile } from "../account/store.js";
import { signedIn } from "./signed-in.js";
import { deleteSession } from "./store.js";

export const sessionRoutes: readonly HandledRoute[] = [
  { method: "GET", path: "/auth/me", access: "signed-in", handle: readMe },
  { method: "DELETE", path: "/auth/token", access: "signed-in", handle: signOut },
];

async function readMe(context: Context): Promise<Answer> {
  const { accountId, sessionId } = signedIn(context);
  const profile = await findProfile(context.services.db, accountId);
  // The account may have gone since the token was checked.
  if (profile === null) return refuseUnauthenticated();
  const body = { user: userOf(profile), session: { id: sessionId } };
  return { status: 200, json: JSON.stringify(body) };
}

async function signOut(context: Context): Promise<Answer> {
  await deleteSession(context.services.db, signedIn(context).sessionId);
  return { status: 204, json: null };
}

/** The specification's User object. */
function userOf({
  id,
  name,
  email,
  role,
  emailVerified,
  twoFactorEnabled,
  avatar,
  avatarFile,
}: Profile) {
  return {
    id,
    name,
    email,
    role,
    emailVerified,
    twoFactorEnabled,
    avatar,
    avatarFile,
    image: avatar,
  };
}
