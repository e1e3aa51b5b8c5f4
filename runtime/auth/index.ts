export { normaliseAddress } from "./account/address.js";
export type { NewAccount } from "./account/input.js";
export type { Account } from "./account/store.js";
export { createAccount } from "./operator/create.js";
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
export { setPicture } from "./profile/routes.js";
export { authRoutes } from "./routes.js";
export { countEncrypted } from "./second-step/encrypted-counts.js";
export { reencryptInBackground } from "./second-step/reencrypt.js";
export { sessionGate } from "./session/authenticate.js";
