import type { HandledRoute } from "../../../http/index.js";
import { addOptions, addPasskey, readPasskeys, removePasskey, rename } from "./manage.js";
import { signIn, signInOptions } from "./sign-in.js";

export const passkeyRoutes: readonly HandledRoute[] = [
  { method: "POST", path: "/auth/passkey/options", access: "public", handle: signInOptions },
  { method: "POST", path: "/auth/passkey", access: "public", handle: signIn },
  { method: "GET", path: "/auth/passkeys", access: "signed-in", handle: readPasskeys },
  { method: "POST", path: "/auth/passkeys/options", access: "signed-in", handle: addOptions },
  { method: "POST", path: "/auth/passkeys", access: "signed-in", handle: addPasskey },
  { method: "PATCH", path: "/auth/passkeys/:id", access: "signed-in", handle: rename },
  { method: "DELETE", path: "/auth/passkeys/:id", access: "signed-in", handle: removePasskey },
];
