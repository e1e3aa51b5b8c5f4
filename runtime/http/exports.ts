// What `service-runtime/http` exports for your own code.

export { type OwnRouteLocals, optionalToken, publicRoute } from "./own-routes/routes.js";
