// Bundled with the package, without being published: what tests use of the code that a built app runs.
export { testSetups } from "../../../runtime/app/index.js";
export { runTask } from "../../../runtime/data/index.js";
