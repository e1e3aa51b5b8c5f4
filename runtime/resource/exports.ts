// Internal: for generated code alone; every release may change it.

export { aggregateRecords } from "./aggregate/routes.js";
export type { ResourceDefinition } from "./definition.js";
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
export { listRecords, queryRecords } from "./list.js";
export { getRecord } from "./read.js";
export { countRecords } from "./stats.js";
export type { Queries, Table } from "./table.js";
export { createRecord, deleteRecord, replaceRecord, updateRecord } from "./write/routes.js";
