// The exports of `service-runtime/app` for app code.

export type { App } from "./processes/around.js";
export type { AppOptions } from "./start/app-code.js";

// Internal: for generated code only; any release may change it.

export { createGeneratedApp } from "./create-app.js";
export type { AccountDeletion } from "./start/account-records.js";
export type { GeneratedResource } from "./start/generated.js";
