export type { App } from "./processes/around.js";
export { newDistribution } from "./processes/distribute.js";
export { portOpenMessage } from "./processes/port.js";
export type { ListedRoute } from "./routes/route-list.js";
export { type AccountDeletion, accountRecordsOf } from "./start/account-records.js";
export { type MadeApp, testSetups } from "./start/test-setup.js";
