export { readJson, refuseEncoded } from "./body.js";
export type { Caller } from "./caller.js";
export { type Asked, type Gate, isAllowed, refuseUnauthenticated } from "./gate.js";
export { type Log, newLog } from "./log.js";
export { type OwnPaths, ownPaths } from "./own-paths.js";
export { type OwnRouteLocals, publicRoute } from "./own-routes.js";
export { type QueryPair, queryPairs } from "./query.js";
export { createQueue, type WorkQueue } from "./queue.js";
export type {
  AccessRule,
  Answer,
  Context,
  Handle,
  HandledRoute,
  Question,
  Read,
  Route,
  Row,
} from "./route.js";
export { type HttpParts, newExpress, newServer } from "./server.js";
export type { Policies, ResourcePolicies, Services } from "./services.js";
export { closeServer } from "./shutdown.js";
