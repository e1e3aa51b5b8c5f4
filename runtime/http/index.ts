export { endAfterBody } from "./answer/leftover.js";
export { headProblem } from "./connections/head.js";
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
export { queryPairs } from "./request/url.js";
export {
  answerQuestion,
  type Gate,
  isAllowed,
  isOwnerRule,
  namesRole,
  type QuestionResult,
  refuseByRule,
  refuseUnauthenticated,
  ruleReason,
  runQuestion,
} from "./route/gate.js";
export type {
  AccessRule,
  Answer,
  CallersQuestion,
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
