import "./driver.js";

export { databaseAround } from "./around.js";
export {
  connectionTo,
  type DatabaseAddress,
  isHostDoubtful,
  readAddress,
  withoutDoubtfulHost,
} from "./connection/address.js";
export type { DatabaseLog, PoolNumbers } from "./connection/options.js";
export {
  connectingProblem,
  connectionProblem,
  type DatabaseProblem,
  readOnlyHint,
} from "./connection/problem.js";
export { sessionSettings, setSession } from "./connection/session-settings.js";
export { limitedDatabase } from "./limited.js";
export { openDatabase } from "./open.js";
export { notePending } from "./pool/pending.js";
export { databaseWithin } from "./pool/savepoints.js";
export { searchEnd } from "./pool/search-limits.js";
export { whenOver } from "./pool/when-over.js";
export { isSentWithCaller } from "./run/way.js";
export { moveSequence, type Numbered } from "./sequence.js";
export { type Session, withSession } from "./session.js";
export { byText } from "./statement/by-text.js";
export type {
  Access,
  Database,
  Queryable,
  Transaction,
  TransactionOptions,
} from "./statement/database.js";
export { lockClasses, lockNumbers } from "./statement/locks.js";
export { messageOf } from "./statement/message.js";
export {
  type CallerLookUp,
  callersAccount,
  dependenceOf,
  type Plan,
  planFor,
  type Unread,
} from "./statement/plan.js";
export {
  type BrokenLink,
  foreignKeyViolation,
  isConnectionLost,
  isOutOfRange,
  isTooLong,
  isTooMuch,
  isTooWide,
  isUnavailable,
  isValueRefused,
  isWriteRefused,
  lostToConcurrent,
  sqlState,
  timeLimit,
  uniqueViolation,
} from "./statement/sqlstate.js";
export {
  type ConstraintRefusal,
  type TableRefusal,
  tableRefusal,
} from "./statement/table-refusal.js";
export { unwaited } from "./statement/unwaited.js";
