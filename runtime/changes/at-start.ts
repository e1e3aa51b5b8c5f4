// What every server needs at its start, whether it logs changes or not.

export { historyRule } from "./history/right.js";
