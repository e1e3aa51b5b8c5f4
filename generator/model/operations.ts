import { type Field, isFile } from "../kind/kinds.js";

/** The client methods below `auth`, each with its request. */
export const authMethods = {
  config: "GET /auth/config",
  signIn: "POST /auth/token",
  sendTwoFactorCode: "POST /auth/two-factor/send",
  verifyTwoFactor: "POST /auth/two-factor/verify",
  passkeyOptions: "POST /auth/passkey/options",
  signInWithPasskey: "POST /auth/passkey",
  sendMagicLink: "POST /auth/magic-link",
  verifyMagicLink: "POST /auth/magic-link/verify",
  sendEmailCode: "POST /auth/email-code",
  verifyEmailCode: "POST /auth/email-code/verify",
  register: "POST /auth/register",
  sendVerification: "POST /auth/email/send",
  verifyEmail: "POST /auth/email/verify",
  changeEmail: "POST /auth/email/change",
  verifyEmailChange: "POST /auth/email/change/verify",
  forgotPassword: "POST /auth/password/forgot",
  resetPassword: "POST /auth/password/reset",
  me: "GET /auth/me",
  updateMe: "PATCH /auth/me",
  deleteMe: "DELETE /auth/me",
  uploadAvatar: "PUT /auth/avatar",
  changePassword: "POST /auth/password",
  sessions: "GET /auth/sessions",
  endOtherSessions: "DELETE /auth/sessions",
  endSession: "DELETE /auth/sessions/{id}",
  serviceTokens: "GET /auth/service-tokens",
  createServiceToken: "POST /auth/service-tokens",
  deleteServiceToken: "DELETE /auth/service-tokens/{id}",
  apps: "GET /auth/apps",
  authorizeApp: "POST /oauth/authorize",
  disconnectApp: "DELETE /auth/apps/{id}",
  enableTwoFactor: "POST /auth/two-factor/enable",
  confirmTwoFactor: "POST /auth/two-factor/confirm",
  disableTwoFactor: "POST /auth/two-factor/disable",
  renewBackupCodes: "POST /auth/two-factor/backup-codes",
  passkeys: "GET /auth/passkeys",
  addPasskeyOptions: "POST /auth/passkeys/options",
  addPasskey: "POST /auth/passkeys",
  renamePasskey: "PATCH /auth/passkeys/{id}",
  deletePasskey: "DELETE /auth/passkeys/{id}",
  signOut: "DELETE /auth/token",
} as const;

/**
 * Operations below `auth` that only apps with providers have. They are not client methods, as every app would have to
 * load them.
 */
export const providerMethods = {
  startProvider: "POST /auth/provider",
  verifyProvider: "POST /auth/provider/verify",
  signInWithIdToken: "POST /auth/provider/id-token",
  identities: "GET /auth/identities",
  addIdentity: "POST /auth/identities",
  deleteIdentity: "DELETE /auth/identities/{id}",
} as const;

/** The client methods below `service`. */
export const serviceMethods = {
  ping: "GET /_service/ping",
  resources: "GET /_service/resources",
  profiles: "GET /_service/profiles",
  accounts: "GET /_service/accounts",
  account: "GET /_service/accounts/{id}",
  inviteAccount: "POST /_service/accounts",
  updateAccount: "PATCH /_service/accounts/{id}",
  deleteAccount: "DELETE /_service/accounts/{id}",
  endAccountSessions: "DELETE /_service/accounts/{id}/sessions",
  disableAccountTwoFactor: "DELETE /_service/accounts/{id}/two-factor",
  resetAccountPassword: "POST /_service/accounts/{id}/password-reset",
  viewAccount: "POST /_service/accounts/{id}/view",
  accountEvents: "GET /_service/account-events",
  accountTokens: "GET /_service/service-tokens",
  deleteAccountToken: "DELETE /_service/service-tokens/{id}",
  views: "GET /_service/views",
  createView: "POST /_service/views",
  updateView: "PATCH /_service/views/{id}",
  deleteView: "DELETE /_service/views/{id}",
  status: "GET /_service/status",
} as const;

export type AuthMethod = keyof typeof authMethods;
export type ProviderMethod = keyof typeof providerMethods;
export type ServiceMethod = keyof typeof serviceMethods;

/** Operations that are not methods of the client's `auth` or `service`. */
export const otherOperations = {
  getAuthProviderCallback: "GET /auth/provider/callback",
  postAuthProviderCallback: "POST /auth/provider/callback",
  postAuthProviderLogout: "POST /auth/provider/logout",
  postOauthToken: "POST /oauth/token",
  postOauthRevoke: "POST /oauth/revoke",
  getServiceChanges: "GET /_service/changes",
  batchService: "POST /_service/batch",
  getServiceLive: "GET /_service/live",
  getServiceReady: "GET /_service/ready",
  getServiceFile: "GET /_service/files/{key}",
  getServiceOpenapi: "GET /_service/openapi.json",
  getServiceDocs: "GET /_service/docs",
  getServiceDocsFile: "GET /_service/docs/{file}",
  getServiceHome: "GET /_service/home",
  replaceServiceHome: "PUT /_service/home",
  listServiceJobs: "GET /_service/jobs",
  retryServiceJob: "POST /_service/jobs/{id}/retry",
  deleteServiceJob: "DELETE /_service/jobs/{id}",
  listServiceJobHours: "GET /_service/jobs/hours",
  listServiceSchedule: "GET /_service/schedule",
  runServiceSchedule: "POST /_service/schedule/{name}/run",
  listServiceWebhooks: "GET /_service/webhooks",
  createServiceWebhook: "POST /_service/webhooks",
  getServiceWebhook: "GET /_service/webhooks/{id}",
  updateServiceWebhook: "PATCH /_service/webhooks/{id}",
  deleteServiceWebhook: "DELETE /_service/webhooks/{id}",
  renewServiceWebhookSecret: "POST /_service/webhooks/{id}/secret",
  testServiceWebhook: "POST /_service/webhooks/{id}/test",
  listServiceWebhookDeliveries: "GET /_service/webhooks/{id}/deliveries",
  getServiceWebhookDelivery: "GET /_service/webhooks/{id}/deliveries/{delivery}",
  retryServiceWebhookDelivery: "POST /_service/webhooks/{id}/deliveries/{delivery}/retry",
} as const;

/** The operation ids of a resource, by purpose. */
export interface ResourceOperations {
  readonly list: string;
  readonly query: string;
  readonly get: string;
  readonly create: string;
  readonly update: string;
  readonly replace: string;
  readonly delete: string;
  readonly stats: string;
  readonly aggregate: string;
  readonly aggregateByBody: string;
  /** Only with a trash. */
  readonly restore?: string;
  /** Only if records have a history. */
  readonly history?: string;
  readonly historyEntry?: string;
  readonly revert?: string;
  /** Operation ids by file field. */
  readonly uploads: ReadonlyMap<string, string>;
}

/** Returns the operation ids of a resource. Plural names are derived from the file's name, the others from the type. */
export function resourceOperations({
  name,
  type,
  fields,
  changes,
  trash,
}: {
  readonly name: string;
  readonly type: string;
  readonly fields: readonly Field[];
  readonly changes: { readonly history: number | null } | null;
  readonly trash: unknown;
}): ResourceOperations {
  const plural = name.split("-").map(capitalised).join("");
  const files = fields.filter((field) => isFile(field));
  return {
    list: `list${plural}`,
    query: `query${plural}`,
    get: `get${type}`,
    create: `create${type}`,
    update: `update${type}`,
    replace: `replace${type}`,
    delete: `delete${type}`,
    stats: `count${plural}`,
    aggregate: `aggregate${plural}`,
    aggregateByBody: `aggregate${plural}ByBody`,
    ...(trash !== null && { restore: `restore${type}` }),
    ...(changes !== null && changes.history !== null && historyOperations(type)),
    uploads: new Map(files.map((field) => [field.name, uploadOperation(type, field.name)])),
  };
}

function historyOperations(type: string) {
  return {
    history: `list${type}History`,
    historyEntry: `get${type}HistoryEntry`,
    revert: `revert${type}`,
  };
}

export function uploadOperation(type: string, field: string): string {
  return `upload${type}${capitalised(field)}`;
}

/** Adds the group before the first capital letter, or else at the end: `signIn` → `signAuthIn`, `me` → `meAuth`. */
export function groupedOperation(method: string, group: "Auth" | "Service"): string {
  const at = method.search(/[A-Z]/);
  return at === -1 ? method + group : method.slice(0, at) + group + method.slice(at);
}

/** Returns the operation ids in the document of every app. */
export function fixedOperations(): readonly string[] {
  return [
    ...Object.keys({ ...authMethods, ...providerMethods }).map((method) =>
      groupedOperation(method, "Auth"),
    ),
    ...Object.keys(serviceMethods).map((method) => groupedOperation(method, "Service")),
    ...Object.keys(otherOperations),
  ];
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
