// What `service-runtime/app` exports for your own code.

export type { AppOptions } from "./create-app.js";
export type { App } from "./processes/around.js";

// Internal: for generated code alone; every release may change it.

export { createGeneratedApp } from "./create-app.js";
export type { AccountDeletion } from "./routes/account-records.js";
export type { GeneratedResource } from "./start/generated.js";
