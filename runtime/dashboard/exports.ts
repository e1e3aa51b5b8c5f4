// What `service-runtime/dashboard` exports for your own code.

export { type DashboardOptions, dashboard } from "./handler.js";
