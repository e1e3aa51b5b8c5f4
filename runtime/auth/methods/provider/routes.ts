import type { HandledRoute } from "../../../http/index.js";
import { callbackByForm, callbackByQuery } from "./callback.js";
import { addIdentity, readIdentities, removeIdentity } from "./identities.js";
import { logout } from "./logout.js";
import { signInWithIdToken, verify } from "./sign-in.js";
import { start } from "./start.js";

const callback = { path: "/auth/provider/callback", access: "public", accept: "any" } as const;

export const providerRoutes: readonly HandledRoute[] = [
  { method: "POST", path: "/auth/provider", access: "public", handle: start },
  { method: "GET", ...callback, handle: callbackByQuery },
  { method: "POST", ...callback, handle: callbackByForm },
  { method: "POST", path: "/auth/provider/verify", access: "public", handle: verify },
  { method: "POST", path: "/auth/provider/id-token", access: "public", handle: signInWithIdToken },
  {
    method: "POST",
    path: "/auth/provider/logout",
    access: "public",
    accept: "any",
    handle: logout,
  },
  { method: "GET", path: "/auth/identities", access: "signed-in", handle: readIdentities },
  { method: "POST", path: "/auth/identities", access: "signed-in", handle: addIdentity },
  { method: "DELETE", path: "/auth/identities/:id", access: "signed-in", handle: removeIdentity },
];
