// Internal: for generated code alone; every release may change it.

export { listRecords, queryRecords } from "./list/list.js";
export { aggregateByBody, aggregateRecords } from "./numbers/aggregate.js";
export { countRecords } from "./numbers/stats.js";
export { getRecord } from "./record/read.js";
export type { ResourceDefinition, Shape } from "./table/definition.js";
export { reference } from "./table/kinds/belongs-to.js";
export { boolean } from "./table/kinds/boolean.js";
export { date } from "./table/kinds/date.js";
export { enumeration } from "./table/kinds/enum.js";
export { fileKey } from "./table/kinds/file.js";
export { decimal, integer, number } from "./table/kinds/number.js";
export { optionalString, string } from "./table/kinds/string.js";
export { optionalText, text } from "./table/kinds/text.js";
export { timestamp } from "./table/kinds/timestamp.js";
export type { Queries, Table } from "./table/table.js";
export { createRecord, deleteRecord, replaceRecord, updateRecord } from "./write/routes.js";
