export {
  type DatabaseAddress,
  isHostDoubtful,
  readAddress,
  withoutDoubtfulHost,
} from "./address.js";
export {
  connectingProblem,
  connectionProblem,
  type DatabaseProblem,
  readOnlyHint,
} from "./connection-problem.js";
export type { Access, Database, Queryable, QueryMethod, Transaction } from "./database.js";
export { lockClasses, lockNumbers } from "./locks.js";
export { openDatabase } from "./open.js";
export type { DatabaseLog } from "./options.js";
export { sessionSettings, setSession } from "./settings.js";
export {
  foreignKeyViolation,
  isConnectionLost,
  isTooWide,
  isUnavailable,
  isValueRefused,
  isWriteRefused,
  lostToConcurrent,
  sqlState,
  timeLimit,
  uniqueViolation,
} from "./sqlstate.js";
export { databaseWithin } from "./within.js";
