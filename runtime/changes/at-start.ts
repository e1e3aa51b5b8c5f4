// Required by every server at startup, even if it logs no changes.

export { historyRule } from "./history/right.js";
