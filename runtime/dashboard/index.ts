export { type DashboardOptions, dashboard } from "./handler.js";
export { newDashboardServer, type ServedDashboard } from "./serve.js";
