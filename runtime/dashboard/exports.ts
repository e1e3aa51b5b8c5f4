// The exports of `service-runtime/dashboard` for app code.

export { type DashboardOptions, dashboard } from "./handler.js";
