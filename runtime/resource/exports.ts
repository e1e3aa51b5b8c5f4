// Internal: for generated code only; any release may change it.

export {
  aggregateByBody,
  aggregateRecords,
  countRecords,
  createRecord,
  deleteRecord,
  getRecord,
  listRecords,
  queryRecords,
  replaceRecord,
  restoreRecord,
  updateRecord,
} from "./endpoints/endpoints.js";
export type { Shape } from "./table/definition.js";
export { reference } from "./table/kinds/belongs-to.js";
export { boolean } from "./table/kinds/boolean.js";
export { date } from "./table/kinds/date.js";
export { enumeration } from "./table/kinds/enum.js";
export { fileKey } from "./table/kinds/file.js";
export { json } from "./table/kinds/json.js";
export { references } from "./table/kinds/links.js";
export { decimal, integer, number } from "./table/kinds/number.js";
export { optionalString, string } from "./table/kinds/string.js";
export { optionalText, text } from "./table/kinds/text.js";
export { timestamp } from "./table/kinds/timestamp.js";
export { listOf } from "./table/kinds/value/list.js";
export type { Queries, Table } from "./table/table.js";
