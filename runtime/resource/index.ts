export { deleteRecord } from "./delete.js";
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
export { listRecords } from "./list.js";
export { getRecord } from "./read.js";
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
export { createRecord, replaceRecord, updateRecord } from "./write.js";
