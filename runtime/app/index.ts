export { accountRecordsOf } from "./account-records.js";
export type { ListedRoute } from "./route-list.js";
