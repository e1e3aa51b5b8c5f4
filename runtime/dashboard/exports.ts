// What `service-runtime/dashboard` exports for app code.

export { type DashboardOptions, dashboard } from "./handler.js";
