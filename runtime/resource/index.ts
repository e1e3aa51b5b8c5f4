export { aggregateRecords } from "./aggregate/routes.js";
export { batchRoute } from "./batch/route.js";
export type { Action, ResourceDefinition } from "./definition.js";
export {
  boolean,
  date,
  decimal,
  enumeration,
  fileKey,
  integer,
  number,
  optionalString,
  optionalText,
  reference,
  type Shape,
  string,
  text,
  timestamp,
} from "./fields.js";
export { type Forgetting, startForgetting } from "./idempotency/forget.js";
export { listRecords, queryRecords } from "./list.js";
export { type AfterHooks, newAfterHooks } from "./own-code/after.js";
export { resourceClients } from "./own-code/client.js";
export { databaseOf, type OwnTransaction, ownTransaction } from "./own-code/context.js";
export { getRecord } from "./read.js";
export { fieldRights, isForOwnOnly } from "./rights/rules.js";
export { countRecords } from "./stats.js";
export type {
  Column,
  Dependant,
  Link,
  Queries,
  Table,
  UniqueRule,
  UniqueTogether,
} from "./table.js";
export { inUse } from "./write/in-use.js";
export { createRecord, deleteRecord, replaceRecord, updateRecord } from "./write/routes.js";
