import type { Schema } from "../kind/kind.js";

/** The shared refusals of `components.responses`, with their status. */
export const refusalNames = {
  BadQuery: 400,
  BadBody: 400,
  NoToken: 401,
  WrongProof: 401,
  Forbidden: 403,
  ForbiddenForNow: 403,
  NotFound: 404,
  Conflict: 409,
  InUse: 409,
  Stale: 412,
  TooLarge: 413,
  MediaType: 415,
  OutOfRange: 416,
  Invalid: 422,
  RefusedFile: 422,
  RefusedProof: 422,
  TooManyAttempts: 429,
  Failed: 500,
  NotNow: 503,
  Refused: "4XX",
} as const;

export type RefusalName = keyof typeof refusalNames;

const sentences: Readonly<Record<RefusalName, string>> = {
  BadQuery: "Query parameters are not valid; all of them are listed.",
  BadBody: "The body is not a JSON object, or a header is malformed.",
  NoToken: "There is no token, or it is no longer valid.",
  WrongProof: "What should prove who signs in is wrong, used or expired.",
  Forbidden: "The access rule or a policy refuses.",
  ForbiddenForNow: "Something has to be done first; `code` says what.",
  NotFound: "There is no such record, file or path, or it is switched off.",
  Conflict:
    "Another request took the value of a unique field at the same moment, or the first request with this key is still under way.",
  InUse: "Other records are required to belong to this one; the sentence has their numbers.",
  Stale: "The record has none of the tags in `If-Match`.",
  TooLarge: "The body is too large.",
  MediaType: "The body's media type or encoding is not taken.",
  OutOfRange: "The range begins after the file's end.",
  Invalid: "Values are not valid; all of them are listed.",
  RefusedFile: "The file is not what the field takes, or its name is not valid.",
  RefusedProof: "Values are not valid, or something that is asked for again is wrong.",
  TooManyAttempts: "Too many attempts.",
  Refused:
    "Refused by the server itself: `Accept` excludes JSON (406), the request took too long to arrive (408), the query string is longer than 8 kB (414), or there are too many header lines (431).",
  Failed: "The server failed.",
  NotNow: "The database or the storage cannot be reached, or too much is under way.",
};

const bodies: Readonly<Partial<Record<RefusalName, string>>> = {
  BadQuery: "ParameterError",
  WrongProof: "AccountError",
  ForbiddenForNow: "AccountError",
  Conflict: "ConflictError",
  Invalid: "ValueError",
  RefusedFile: "ValueError",
  RefusedProof: "AccountError",
  TooManyAttempts: "AccountError",
};

const headers: Readonly<Partial<Record<RefusalName, Schema>>> = {
  NoToken: { "WWW-Authenticate": { schema: { type: "string", const: "Bearer" } } },
  Conflict: { "Retry-After": retryAfter() },
  InUse: { "Retry-After": retryAfter() },
  TooManyAttempts: { "Retry-After": retryAfter() },
  NotNow: { "Retry-After": retryAfter() },
};

/** Seconds. */
function retryAfter(): Schema {
  return { description: "Seconds", schema: { type: "integer", minimum: 0 } };
}

/** `components.responses`. */
export function sharedResponses(): Readonly<Record<string, Schema>> {
  const names = Object.keys(refusalNames) as RefusalName[];
  return Object.fromEntries(names.map((name) => [name, response(name)]));
}

function response(name: RefusalName): Schema {
  const schema = { $ref: `#/components/schemas/${bodies[name] ?? "Error"}` };
  return {
    description: sentences[name],
    ...(headers[name] === undefined ? {} : { headers: headers[name] }),
    content: { "application/json": { schema } },
  };
}
