export { normaliseAddress } from "./account/address.js";
export { createAccount } from "./account/create.js";
export type { NewAccount } from "./account/input.js";
export { setPicture } from "./account/routes.js";
export type { Account } from "./account/store.js";
export {
  assignRole,
  disableAccount,
  enableAccount,
  makeResetLink,
  type ResetLink,
  switchTwoFactorOff,
} from "./operator/operate.js";
export { type ListedAccount, listAccounts } from "./operator/store.js";
export { acceptPasswordForm } from "./password/rules.js";
export { authRoutes } from "./routes.js";
export { resealInBackground } from "./second-step/reseal.js";
export { countSealed } from "./second-step/sealed-counts.js";
export { sessionGate } from "./session/authenticate.js";
