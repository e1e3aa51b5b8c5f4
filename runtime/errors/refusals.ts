/**
 * The complete table of refusals: code → status and message. The body of a `coded` refusal includes its code, because
 * clients react to the codes of account errors.
 */
export const refusals = {
  BAD_REQUEST: { status: 400, sentence: "The request is malformed", coded: false },
  BAD_PARAMETERS: { status: 400, sentence: "The query parameters are not valid", coded: false },
  UNAUTHENTICATED: { status: 401, sentence: "Sign in first", coded: false },
  FORBIDDEN: { status: 403, sentence: "You may not do this", coded: false },
  NOT_FOUND: { status: 404, sentence: "Not found", coded: false },
  METHOD_NOT_ALLOWED: { status: 405, sentence: "Method not allowed here", coded: false },
  NOT_ACCEPTABLE: { status: 406, sentence: "Only application/json is available", coded: false },
  TAKEN: { status: 409, sentence: "The value has just been taken", coded: false },
  IN_USE: { status: 409, sentence: "Other records still belong to this one", coded: false },
  UNDER_WAY: {
    status: 409,
    sentence: "A request with this idempotency key is still in progress",
    coded: false,
  },
  ANSWER_DROPPED: {
    status: 409,
    sentence:
      "This request was already processed; its response is no longer stored and cannot be recreated",
    coded: false,
  },
  WRONG_OFFSET: {
    status: 409,
    sentence: "The offset is not the number of bytes stored so far",
    coded: false,
  },
  OVERTAKEN: {
    status: 409,
    sentence: "Another request has taken over this upload",
    coded: false,
  },
  CHANGED: { status: 412, sentence: "The record has changed since it was read", coded: false },
  REFUSED: { status: 409, sentence: "The request was refused", coded: false },
  TUS_VERSION: { status: 412, sentence: "Send Tus-Resumable: 1.0.0", coded: false },
  TOO_LARGE: { status: 413, sentence: "The body is too large", coded: false },
  URI_TOO_LONG: { status: 414, sentence: "The query string is longer than 8 kB", coded: false },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, sentence: "Send application/json", coded: false },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    sentence: "The range starts after the end of the file",
    coded: false,
  },
  INVALID: { status: 422, sentence: "The values are not valid", coded: false },
  KEY_REUSED: {
    status: 422,
    sentence: "This idempotency key was used for another request",
    coded: false,
  },
  FAILED_DEPENDENCY: {
    status: 424,
    sentence: "An operation that this one refers to was refused",
    coded: false,
  },
  TOO_MANY_REQUESTS: { status: 429, sentence: "Too many requests", coded: false },
  UNAVAILABLE: { status: 503, sentence: "Try again in a moment", coded: false },
  STORAGE_FULL: {
    status: 507,
    sentence: "There is no storage space left for the file",
    coded: false,
  },
  INVALID_EMAIL_OR_PASSWORD: { status: 401, sentence: "Wrong email or password", coded: true },
  INVALID_TWO_FACTOR_CODE: { status: 401, sentence: "Wrong code", coded: true },
  INVALID_OTP: { status: 401, sentence: "Wrong code", coded: true },
  OTP_EXPIRED: { status: 401, sentence: "The code is not valid or has expired", coded: true },
  INVALID_TOKEN: { status: 401, sentence: "The link is not valid or has expired", coded: true },
  INVALID_PASSKEY: { status: 401, sentence: "The passkey could not be verified", coded: true },
  EMAIL_NOT_VERIFIED: { status: 403, sentence: "Verify your email address first", coded: true },
  SESSION_NOT_FRESH: { status: 403, sentence: "Sign in again first", coded: true },
  TOO_MANY_ATTEMPTS: { status: 429, sentence: "Too many attempts", coded: true },
  ACCOUNT_NOT_LINKED: {
    status: 403,
    sentence: "No account is linked to this sign-in",
    coded: true,
  },
  IDENTITY_TAKEN: {
    status: 409,
    sentence: "Another account is linked to this sign-in",
    coded: true,
  },
  PROVIDER_ALREADY_LINKED: {
    status: 409,
    sentence: "The account is linked to another sign-in of this provider",
    coded: true,
  },
  PROVIDER_UNAVAILABLE: {
    status: 503,
    sentence: "The provider does not respond; try again, or sign in another way",
    coded: true,
  },
  INVALID_PASSWORD: { status: 422, sentence: "Wrong password", coded: true },
  PASSWORD_NOT_SET: {
    status: 422,
    sentence: "The account has no password; set one with a reset link",
    coded: true,
  },
  TWO_FACTOR_NOT_ENABLED: { status: 422, sentence: "The second step is not enabled", coded: true },
  TWO_FACTOR_ALREADY_ENABLED: {
    status: 422,
    sentence: "The second step is already enabled",
    coded: true,
  },
  LAST_SIGN_IN_METHOD: {
    status: 422,
    sentence: "No sign-in method would be left",
    coded: true,
  },
  TOO_MANY_PASSKEYS: { status: 422, sentence: "Remove a passkey first", coded: true },
  PASSWORD_TOO_SHORT: { status: 422, sentence: "The password is too short", coded: true },
  PASSWORD_TOO_LONG: { status: 422, sentence: "The password is too long", coded: true },
  PASSWORD_COMPROMISED: {
    status: 422,
    sentence: "This password is in a public list of stolen passwords",
    coded: true,
  },
  USER_ALREADY_EXISTS: {
    status: 422,
    sentence: "An account with this address already exists",
    coded: true,
  },
} as const satisfies Record<string, { status: number; sentence: string; coded: boolean }>;

export type RefusalCode = keyof typeof refusals;
