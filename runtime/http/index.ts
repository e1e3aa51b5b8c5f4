export type { Authenticate } from "./api.js";
export { readJson } from "./body.js";
export { type Log, newLog } from "./log.js";
export { type OwnRouteLocals, publicRoute } from "./own-routes.js";
export type { AccessRule, Answer, Caller, Context, Handle, Route } from "./route.js";
export { type HttpParts, mountRoutes, newExpress, newServer } from "./server.js";
export type { Policies, ResourcePolicies, Services } from "./services.js";
export { closeServer } from "./shutdown.js";
