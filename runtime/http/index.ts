export { type OwnPaths, ownPaths } from "./own/paths.js";
export { type OwnRouteLocals, publicRoute } from "./own/routes.js";
export { readJson, refuseEncoded } from "./request/body.js";
export { type QueryPair, queryPairs } from "./request/url.js";
export { type Gate, isAllowed, type QuestionResult, refuseUnauthenticated } from "./route/gate.js";
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
} from "./route/route.js";
export { type HttpParts, newExpress, newServer } from "./server.js";
export { closeServer } from "./shutdown.js";
