export { endAfterBody } from "./answer/leftover.js";
export { sentBytes } from "./connections/connection.js";
export { headProblem } from "./connections/head.js";
export { type ConnectionLimits, limitsBehind } from "./connections/limits.js";
export { isBelow, keepPace, type Mark, type Pace } from "./connections/pace.js";
export { newListener } from "./listener.js";
export { listOwnRoutes } from "./own-routes/list.js";
export { ownPaths } from "./own-routes/paths.js";
export { type OwnRouteLocals, publicRoute } from "./own-routes/routes.js";
export {
  type JsonObject,
  readBytes,
  readJson,
  readJsonBody,
  refuseEncoded,
} from "./request/body.js";
export { type FilterParameter, type Issues, Parameters } from "./request/parameters.js";
export {
  ifMatchOf,
  isTagKnown,
  type Precondition,
  readPrecondition,
  refusePreconditions,
} from "./request/preconditions.js";
export { hasParameter, queryPairs } from "./request/url.js";
export {
  answerRead,
  type Gate,
  isAllowed,
  isOwnerRule,
  namesRole,
  type ReadResult,
  refuseByRule,
  refuseUnauthenticated,
  ruleReason,
  runRead,
} from "./route/gate.js";
export {
  type AccessRule,
  type Answer,
  type CallersRead,
  type Context,
  callersAccount,
  type Handle,
  type HandledRoute,
  type PlannedRead,
  type Read,
  type Route,
  type Row,
} from "./route/route.js";
export { type HttpParts, newExpress, newServer } from "./server.js";
export { closeServer } from "./shutdown.js";
