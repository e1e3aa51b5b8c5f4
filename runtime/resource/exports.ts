// Internal: for generated code alone; every release may change it.

export { listRecords, queryRecords } from "./list/list.js";
export { aggregateRecords } from "./numbers/aggregate.js";
export { countRecords } from "./numbers/stats.js";
export { getRecord } from "./record/read.js";
export type { ResourceDefinition } from "./table/definition.js";
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
} from "./table/fields.js";
export type { Queries, Table } from "./table/table.js";
export { createRecord, deleteRecord, replaceRecord, updateRecord } from "./write/routes.js";
