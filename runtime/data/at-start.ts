// Parts needed before any import or seeding, without the code that performs them.

export { type SeedEvent, type SeedResult, seedFiles } from "./seed/request.js";
export { type Task, taskWanted } from "./task/wanted.js";
