// What a server needs at its start, without what imports.

export { type Task, taskWanted } from "./task/wanted.js";
