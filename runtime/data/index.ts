export type { ImportEvent, ImportRequest, ImportResult, Mistake } from "./import/request.js";
export { importAccounts } from "./import/start.js";
export type { PeopleTable } from "./read/people.js";
export type { SeedEvent } from "./seed/request.js";
export { runTask } from "./task/task.js";
export type { Task } from "./task/wanted.js";
export { recordsFile } from "./write/records-file.js";
