// What `service/runtime/app` exports for your own code.

export type { App } from "./app.js";
export type { AppOptions } from "./create-app.js";

// Internal: for generated code alone; every release may change it.

export type { AccountDeletion } from "./account-records.js";
export { createGeneratedApp } from "./create-app.js";
