import type { HandledRoute } from "../../http/index.js";
import { authorize } from "./authorize.js";
import { disconnect, list } from "./connected.js";
import { exchange } from "./exchange.js";
import { metadataRoutes } from "./metadata.js";
import { revoke } from "./revoke.js";

/** The routes for apps that act on behalf of accounts (OAuth 2.1), and for managing an account's connected apps. */
export const appRoutes: readonly HandledRoute[] = [
  ...metadataRoutes,
  { method: "POST", path: "/oauth/authorize", access: "signed-in", handle: authorize },
  { method: "POST", path: "/oauth/token", access: "public", handle: exchange },
  { method: "POST", path: "/oauth/revoke", access: "public", handle: revoke },
  { method: "GET", path: "/auth/apps", access: "signed-in", handle: list },
  { method: "DELETE", path: "/auth/apps/:id", access: "signed-in", handle: disconnect },
];
