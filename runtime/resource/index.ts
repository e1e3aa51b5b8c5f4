export { type AdoptedTable, lostParts } from "./adopted/lost-parts.js";
export { resourceClients } from "./app-resources/client.js";
export { queryOf, textOf } from "./app-resources/request.js";
export { batchRoute } from "./batch/route.js";
export type { ByRule } from "./batch/upsert.js";
export { type ResourceRoute, routesOf } from "./endpoints/endpoints.js";
export { type Forgetting, startForgetting } from "./idempotency/forget.js";
export { idempotencyKeyOf, keyedRequest } from "./idempotency/key.js";
export { recallRecord } from "./idempotency/recall.js";
export { answerOrReplay, type Replay } from "./idempotency/repeat.js";
export { showAgain } from "./idempotency/show.js";
export { listRecords } from "./list/list.js";
export { aggregateRecords } from "./numbers/aggregate.js";
export { countRecords } from "./numbers/stats.js";
export { type AfterHooks, newAfterHooks } from "./own-code/after.js";
export {
  type AppTransaction,
  appTransaction,
  databaseOf,
  jobsOf,
  mailOf,
} from "./own-code/context.js";
export { callJob } from "./own-code/job.js";
export { checkPolicy, hasPolicy, isAllowedBy } from "./own-code/policy.js";
export { fileUses } from "./record/file-use.js";
export { fieldsWithStarts } from "./record/long-text-starts.js";
export { fieldKeys, plainValues, shownKeys } from "./record/plain-values.js";
export { checkRecordPolicy } from "./record/read.js";
export { tagOf } from "./record/tag.js";
export { accountAmong } from "./rights/account.js";
export { someRows } from "./rights/grants/grants.js";
export { readable } from "./rights/readable.js";
export { fieldRights, isForOwnedOnly, isForSome } from "./rights/rules.js";
export { inTrash } from "./rights/trashed.js";
export { rowsSeen } from "./rights/view.js";
export { isValid } from "./table/body.js";
export { resourcesByName } from "./table/by-name.js";
export {
  hasUuids,
  idColumn,
  idEquals,
  idFormOf,
  idIn,
  keptId,
  keysOfColumns,
} from "./table/column-keys.js";
export type { Action, ResourceDefinition } from "./table/definition.js";
export { type ColumnKind, elementKind, kindOf } from "./table/kinds/kinds.js";
export { reachesPrivate } from "./table/private-fields.js";
export { purgeRule, type TableRule } from "./table/rule.js";
export {
  type Column,
  columnOf,
  type Dependant,
  type KeptFounder,
  type Queries,
  type Table,
} from "./table/table.js";
export { allRows, tallied } from "./table/tally.js";
export { changeRows, hasAppUniques, isTelling, joinableChange } from "./transfer/changes.js";
export { type Alike, recordsLike, type StoredRow } from "./transfer/compare.js";
export {
  keyOfRows,
  type NamedLink,
  namedLink,
  ownerLinks,
  type TargetFinder,
  targetFinder,
  targetName,
  withTargets,
} from "./transfer/key.js";
export { createOfRow, type FileRow, idOf } from "./transfer/row.js";
export {
  type Chosen,
  type FileSelect,
  selectForFile,
  WrongChoice,
} from "./transfer/select.js";
export type { SentRow } from "./transfer/sent.js";
export { conflictsOf, insertRows, runsNoAppCode } from "./transfer/several.js";
export { stageRows } from "./transfer/staged.js";
export {
  keyedStore,
  type RowIssue,
  type RowOutcome,
  type RowsPlan,
  rowIssuesOf,
  rowStore,
} from "./transfer/store.js";
export { inRowsUnit, type RowsUnit, runKept } from "./transfer/unit.js";
export { startExpiring } from "./trash/expire.js";
export type { OwnedRights, PathMoves } from "./watch/owned-rights.js";
export {
  isWatchOptions,
  maxWatchedBytes,
  type Watched,
  type WatchedRow,
  type WatchOptions,
  watchTable,
} from "./watch/watch-table.js";
export { startIndexing } from "./words/index-changed.js";
export { holdFounders } from "./write/group/keep-founders.js";
export { isJson } from "./write/json-text.js";
export { createOf, replaceOf } from "./write/make.js";
export type { Change, Write, Written } from "./write/operation.js";
export { refuseByTable } from "./write/refused/by-table.js";
export { inUse } from "./write/refused/in-use.js";
export { answerWrite } from "./write/run.js";
