export { accountRecordsOf } from "./routes/account-records.js";
export type { ListedRoute } from "./routes/route-list.js";
