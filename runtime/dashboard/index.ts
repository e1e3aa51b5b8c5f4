export { newDashboardServer, type ServedDashboard } from "./serve.js";
