// What every server needs at startup, whether it logs changes or not.

export { historyRule } from "./history/right.js";
