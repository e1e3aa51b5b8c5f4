// What `service-runtime/http` exports for your own code.

export { type OwnRouteLocals, publicRoute } from "./own-routes/routes.js";

// Internal: for generated code alone; every release may change it.

export type { Route } from "./route/route.js";
