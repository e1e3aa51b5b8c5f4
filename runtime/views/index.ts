export { viewRoutes } from "./routes.js";
