export type { App } from "./app.js";
export { type AppOptions, createGeneratedApp, type Generated } from "./create-app.js";
