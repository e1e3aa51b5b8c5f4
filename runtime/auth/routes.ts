import type { HandledRoute } from "../http/index.js";
import { passwordRoutes } from "./methods/password/routes.js";
import { sessionRoutes } from "./session/routes.js";
import { switchesRoute } from "./switches.js";

/** Every route below `/auth`; a new way to sign in adds its line here. */
export const authRoutes: readonly HandledRoute[] = [
  switchesRoute,
  ...sessionRoutes,
  ...passwordRoutes,
];
