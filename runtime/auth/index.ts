export { normaliseAddress } from "./account/address.js";
export { labelShape, type NewAccount } from "./account/input.js";
export { isOperator } from "./account/is-operator.js";
export { findRemovedProviders } from "./identity/removed-providers.js";
export type { ShownIdentity } from "./identity/shown.js";
export { identitiesOf, unlinkProvider } from "./identity/unlink.js";
export { accept } from "./input.js";
export { tryProvider } from "./methods/provider/try-provider.js";
export { LastOperator } from "./operator/authority.js";
export { createAccount } from "./operator/create.js";
export {
  addImported,
  type ImportedAccount,
  importedFields,
  kindOfHash,
  readImported,
  takenBy,
} from "./operator/import.js";
export { listEvents, type ShownEvent } from "./operator/listing/events.js";
export {
  assignRole,
  deleteAccount,
  disableAccount,
  disableTwoFactor,
  enableAccount,
  makeResetLink,
  setEmail,
} from "./operator/operate.js";
export { type AccountRecords, noAccountRecords } from "./operator/records.js";
export { findAccountId, type ListedAccount, listAccounts } from "./operator/store.js";
export { addTestAccount } from "./operator/test-account.js";
export { passwordsWaiting } from "./password/hash.js";
export { acceptPasswordForm } from "./password/rules.js";
export { setPicture } from "./profile/routes.js";
export { authRoutes, withoutApps } from "./routes.js";
export { countEncrypted } from "./second-step/encrypted-counts.js";
export { reencryptInBackground } from "./second-step/reencrypt.js";
export { createToken, type ListedToken, listTokens, revokeToken } from "./service-token/tokens.js";
export { sessionGate } from "./session/authenticate.js";
export { refuseServiceToken, requireFreshSession } from "./session/caller.js";
export { mcpChallenge } from "./session/delegated/challenge.js";
export { refuseWriteOfReader } from "./session/delegated/writes.js";
export { endFormerInBackground } from "./session/last-use/former-ends.js";
