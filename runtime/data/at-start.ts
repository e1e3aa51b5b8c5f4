// What is needed before anything is imported or seeded, without what does that.

export { type SeedEvent, type SeedResult, seedFiles } from "./seed/request.js";
export { type Task, taskWanted } from "./task/wanted.js";
