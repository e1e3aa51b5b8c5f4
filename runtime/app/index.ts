export { type AccountDeletion, accountRecordsOf } from "./account-records.js";
export type { App } from "./app.js";
export { type AppOptions, createGeneratedApp, type Generated } from "./create-app.js";
export type { ListedRoute } from "./route-list.js";
