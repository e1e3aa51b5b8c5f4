// What `service-runtime/http` exports for your own code.

export { type OwnRouteLocals, publicRoute } from "./own-routes/routes.js";
