// What `service-runtime/http` exports for app code.

export { type OwnRouteLocals, optionalToken, publicRoute } from "./own-routes/routes.js";
