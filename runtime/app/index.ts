export { lastUntrustedProxy } from "./health/untrusted-proxy.js";
export type { App } from "./processes/app.js";
export { newDistribution } from "./processes/distribute.js";
export { portOpenMessage } from "./processes/port.js";
export { type AccountDeletion, accountRecordsOf } from "./routes/account-records.js";
export type { ListedRoute } from "./routes/route-list.js";
export { type MadeApp, testSetups } from "./start/test-setup.js";
