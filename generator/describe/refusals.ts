import type { Schema } from "../kind/kind.js";
import { answerExample, exampleRef, exampleRefs } from "./examples/refs.js";

/** Error codes related to accounts, in the order of the documentation. */
export const accountCodes = [
  "INVALID_EMAIL_OR_PASSWORD",
  "INVALID_TWO_FACTOR_CODE",
  "INVALID_OTP",
  "OTP_EXPIRED",
  "INVALID_TOKEN",
  "INVALID_PASSKEY",
  "EMAIL_NOT_VERIFIED",
  "ACCOUNT_NOT_LINKED",
  "IDENTITY_TAKEN",
  "PROVIDER_ALREADY_LINKED",
  "PROVIDER_UNAVAILABLE",
  "SESSION_NOT_FRESH",
  "TOO_MANY_ATTEMPTS",
  "INVALID_PASSWORD",
  "PASSWORD_NOT_SET",
  "TWO_FACTOR_NOT_ENABLED",
  "TWO_FACTOR_ALREADY_ENABLED",
  "LAST_SIGN_IN_METHOD",
  "TOO_MANY_PASSKEYS",
  "PASSWORD_TOO_SHORT",
  "PASSWORD_TOO_LONG",
  "PASSWORD_COMPROMISED",
  "USER_ALREADY_EXISTS",
] as const;

export type AccountCode = (typeof accountCodes)[number];

/** Refusals in `components.responses` and their statuses. */
export const refusalNames = {
  BadQuery: 400,
  BadBody: 400,
  NoToken: 401,
  Forbidden: 403,
  NotFresh: 403,
  NotFound: 404,
  NotAcceptable: 406,
  Conflict: 409,
  InUse: 409,
  TooMany: 409,
  Refused: 409,
  Stale: 412,
  TooLarge: 413,
  MediaType: 415,
  OutOfRange: 416,
  Invalid: 422,
  RefusedFile: 422,
  TooManyAttempts: 429,
  Failed: 500,
  NotNow: 503,
  Other: "default",
} as const;

export type RefusalName = keyof typeof refusalNames;

const sentences: Readonly<Record<RefusalName, string>> = {
  BadQuery: "Query parameters are not valid; all of them are listed.",
  BadBody:
    "The body is not a JSON object, a header is malformed, or the query has unknown parameters; all of them are listed.",
  NoToken: "The token is missing, or is no longer valid.",
  Forbidden: "The access rule or a policy refuses the request.",
  NotFresh:
    "The caller may not do this; with a `code` if a recent sign-in is required, which a service token cannot provide.",
  NotFound: "There is no such record, file or path, or the feature is disabled.",
  NotAcceptable: "`Accept` excludes JSON.",
  Conflict:
    "A concurrent request took the value of a unique field, or the first request with this idempotency key is still in progress.",
  InUse: "Other records have a required link to this one; the message has their counts.",
  TooMany: "The maximum number already exists.",
  Refused: "The current state does not allow this; the message says why.",
  Stale: "The record has none of the ETags in `If-Match`.",
  TooLarge: "The body is too large.",
  MediaType: "The body's media type or encoding is not supported.",
  OutOfRange: "The range begins after the file's end.",
  Invalid: "Values are not valid; all of them are listed.",
  RefusedFile: "The field does not accept the file, or its name is not valid.",
  TooManyAttempts: "Too many attempts.",
  Other:
    "Refused by the server itself: the request has a `Content-Range` (400), `Accept` excludes JSON (406), the request took too long to arrive (408), the query string is longer than 8 kB (414), the client sent too many requests (429), or there are too many header lines (431). Hooks of the app may refuse with other statuses.",
  Failed: "The server failed.",
  NotNow: "The database or the storage cannot be reached, or the server is overloaded.",
};

const bodies: Readonly<Partial<Record<RefusalName, Schema>>> = {
  BadQuery: ref("ParameterError"),
  BadBody: { anyOf: [ref("Error"), ref("ParameterError")] },
  Conflict: ref("ConflictError"),
};

function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

const headers: Readonly<Partial<Record<RefusalName, Schema>>> = {
  NoToken: { "WWW-Authenticate": { schema: { type: "string", const: "Bearer" } } },
  Conflict: { "Retry-After": retryAfter() },
  InUse: { "Retry-After": retryAfter() },
  TooManyAttempts: { "Retry-After": retryAfter() },
  NotNow: { "Retry-After": retryAfter() },
};

/** Returns a header whose value is in seconds. */
function retryAfter(): Schema {
  return { description: "Seconds", schema: { type: "integer", minimum: 0 } };
}

/** `components.responses`. */
export function sharedResponses(): Readonly<Record<string, Schema>> {
  const names = Object.keys(refusalNames) as RefusalName[];
  return Object.fromEntries(names.map((name) => [name, response(name)]));
}

function response(name: RefusalName): Schema {
  return {
    description: sentences[name],
    ...(headers[name] === undefined ? {} : { headers: headers[name] }),
    ...jsonContent(
      sharedCodes[name] ?? bodies[name] ?? ref("Error"),
      exampleRefs(answerExample(name)),
    ),
  };
}

/** `components.examples` of refusals, by name and code. */
export function refusalExamples(): Readonly<Record<string, Schema>> {
  const names = Object.keys(refusalNames) as RefusalName[];
  return Object.fromEntries([
    ...names.map((name) => [answerExample(name), { value: exampleOf(name) }]),
    ...accountCodes.map((code) => [
      exampleOfCode(code),
      { value: { error: "Why it is refused", code } },
    ]),
  ]);
}

/** Returns the name of a code's example: that of the refusal if it always has this code, or else the code itself. */
function exampleOfCode(code: AccountCode): string {
  const [name] = Object.entries(sharedCode).find(([, own]) => own === code) ?? [];
  return answerExample(name ?? code);
}

function exampleOf(name: RefusalName): Schema {
  const error = "Why it is refused";
  const { [name]: listed } = issues;
  const { [name]: code } = sharedCode;
  return {
    error,
    ...(code === undefined ? {} : { code }),
    ...(listed === undefined ? {} : { issues: listed }),
  };
}

const message = "What is wrong with it";

const issues: Readonly<Partial<Record<RefusalName, readonly Schema[]>>> = {
  BadQuery: [{ param: "sort", message }],
  Invalid: [{ path: "name", message }],
};

const sharedCode: Readonly<Partial<Record<RefusalName, AccountCode>>> = {
  NotFresh: "SESSION_NOT_FRESH",
  TooManyAttempts: "TOO_MANY_ATTEMPTS",
};

const sharedCodes: Readonly<Partial<Record<RefusalName, Schema>>> = {
  NotFresh: withCode(["SESSION_NOT_FRESH"], "sometimes"),
  TooManyAttempts: withCode(["TOO_MANY_ATTEMPTS"], "always"),
};

export type Codes = Readonly<Partial<Record<401 | 403 | 409 | 422 | 503, readonly AccountCode[]>>>;

const codedSentences: Readonly<Record<keyof Codes, string>> = {
  401: "The proof of identity is wrong, used or expired.",
  403: "Another step is required first; `code` names it.",
  409: "It belongs to another account, or a concurrent request took it.",
  422: "Values are not valid, or a required password or code is wrong (with a `code`).",
  503: "The provider does not respond (with a `code`), or the database cannot be reached.",
};

/** Returns the refusals whose code identifies the error. Some statuses also occur without a code. */
export function codedResponses(
  codes: Codes,
  refusals: readonly RefusalName[],
): Readonly<Record<string, Schema>> {
  const statuses = ([401, 403, 409, 422, 503] as const).filter(
    (status) => codes[status] !== undefined,
  );
  return Object.fromEntries(
    statuses.map((status) => {
      // The server itself may respond to any operation with 503.
      const isPlainToo = status === 503 || refusals.some((name) => refusalNames[name] === status);
      const own = codes[status] ?? [];
      const schema = withCode(own, isPlainToo ? "sometimes" : "always");
      const examples = Object.fromEntries(
        own.map((code) => [code, exampleRef(exampleOfCode(code))]),
      );
      const waits = status === 503 ? { headers: { "Retry-After": retryAfter() } } : {};
      return [
        status,
        { description: codedSentences[status], ...waits, ...jsonContent(schema, examples) },
      ];
    }),
  );
}

function withCode(codes: readonly AccountCode[], present: "always" | "sometimes"): Schema {
  return {
    allOf: [{ $ref: "#/components/schemas/AccountError" }],
    ...(present === "always" ? { required: ["code"] } : {}),
    properties: { code: { enum: codes } },
  };
}

function jsonContent(schema: Schema, examples: Schema): Schema {
  return { content: { "application/json": { schema, examples } } };
}
