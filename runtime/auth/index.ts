export { createAccount } from "./account/create.js";
export type { NewAccount } from "./account/input.js";
export type { Account } from "./account/store.js";
export { authRoutes } from "./routes.js";
export { sessionGate } from "./session/authenticate.js";
