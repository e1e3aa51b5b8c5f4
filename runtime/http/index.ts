export { errorAnswer } from "./answer/answer.js";
export { endAfterBody } from "./answer/leftover.js";
export { logForbidden } from "./answer/log-forbidden.js";
export { listAppRoutes } from "./app-routes/list.js";
export { appPaths } from "./app-routes/paths.js";
export { type AppRouteLocals, publicRoute } from "./app-routes/routes.js";
export { sentBytes } from "./connections/connection.js";
export { headProblem } from "./connections/head.js";
export { type ConnectionLimits, limitsBehind } from "./connections/limits.js";
export { isBelow, keepPace, type Mark, type Pace } from "./connections/pace.js";
export { reset } from "./connections/reset.js";
export { type HttpParts, newOuterExpress, type OuterExpress } from "./express.js";
export { type Judge, newJudge } from "./limits/limiter.js";
export { unsetProxy } from "./limits/unset-proxy.js";
export { newWindows, type Verdict } from "./limits/windows.js";
export { newListener } from "./listener.js";
export {
  hasBody,
  type JsonObject,
  readBytes,
  readJson,
  readJsonBody,
  refuseEncoded,
  refusePart,
} from "./request/body.js";
export { BodyReader, isBody } from "./request/body-reader.js";
export { addressOfClient, clientKey, knowsProxySecret } from "./request/client-address.js";
export { type FilterParameter, type Issues, Parameters } from "./request/parameters.js";
export {
  ifMatchOf,
  isTagKnown,
  type Precondition,
  readPrecondition,
  refusePreconditions,
} from "./request/preconditions.js";
export { hasParameter, queryPairs, splitUrl, withoutLastSlash } from "./request/url.js";
export {
  isAllowed,
  isMeant,
  namesRole,
  refusalByRule,
  refuseByRule,
  refuseUnauthenticated,
} from "./route/access-rule.js";
export { answerRead, type Gate, type GateCall, type ReadResult } from "./route/gate.js";
export { answerWithin, type InnerRequest } from "./route/inner-request.js";
export {
  type Answer,
  type CallersRead,
  type Context,
  type Handle,
  type HandledRoute,
  type PlannedRead,
  type Read,
  type Route,
  type Row,
  takesQuery,
} from "./route/route.js";
export { listedPath } from "./route/table.js";
export { withAnswers } from "./route/with-answers.js";
export { newServer } from "./server.js";
export { closeServer } from "./shutdown.js";
export type { Answered, Watcher } from "./trace.js";
