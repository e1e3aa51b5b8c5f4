// What `service-runtime/http` exports for app code.

export {
  type AppRouteLocals,
  type OwnRouteLocals,
  optionalToken,
  publicRoute,
} from "./app-routes/routes.js";
