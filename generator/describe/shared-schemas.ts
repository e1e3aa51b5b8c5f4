import type { Schema } from "../kind/kind.js";
import {
  boolean,
  integer,
  nullable,
  objectSchema,
  schemaRef,
  string,
  timestamp,
  uuid,
} from "./operation.js";

/** Codes of refusals about accounts, in the order of the documentation. */
const codes = [
  "INVALID_EMAIL_OR_PASSWORD",
  "INVALID_TWO_FACTOR_CODE",
  "INVALID_OTP",
  "OTP_EXPIRED",
  "INVALID_TOKEN",
  "INVALID_PASSKEY",
  "EMAIL_NOT_VERIFIED",
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
];

const valueIssues: Schema = {
  type: "array",
  maxItems: 101,
  items: objectSchema({ path: string, message: string }),
};
const parameterIssues: Schema = {
  type: "array",
  maxItems: 101,
  items: objectSchema({ param: string, message: string }),
};

/** Of whole records, in the order of `data`. */
const tags: Schema = { type: "array", items: string };

/** `components.schemas` that every document has. */
export const sharedSchemas: Readonly<Record<string, Schema>> = {
  Error: objectSchema({ error: string }),
  ParameterError: objectSchema({ error: string, issues: parameterIssues }, ["issues"]),
  ValueError: objectSchema({ error: string, issues: valueIssues }, ["issues"]),
  ConflictError: objectSchema({ error: string, code: { enum: codes }, field: string }, [
    "code",
    "field",
  ]),
  AccountError: objectSchema({ error: string, code: { enum: codes }, issues: valueIssues }, [
    "code",
    "issues",
  ]),
  FileDetails: objectSchema({
    key: string,
    url: string,
    name: string,
    mime: string,
    size: { type: "integer", minimum: 0 },
    width: nullable(integer),
    height: nullable(integer),
    optimised: boolean,
    renditions: {
      type: "object",
      additionalProperties: objectSchema({
        url: string,
        width: integer,
        height: integer,
        size: integer,
      }),
    },
  }),
  PageMeta: objectSchema(
    { page: integer, perPage: integer, total: integer, totalPages: integer, etags: tags },
    ["etags"],
  ),
  CursorMeta: objectSchema({ perPage: integer, next: nullable(string), etags: tags }, ["etags"]),
  Meta: { anyOf: [schemaRef("PageMeta"), schemaRef("CursorMeta")] },
  SignedIn: objectSchema({
    token: string,
    user: objectSchema({ id: uuid, name: string, email: string, role: nullable(string) }),
  }),
  Challenge: objectSchema({
    twoFactor: { type: "boolean", const: true },
    challenge: string,
    methods: { type: "array", items: { type: "string", enum: ["totp", "email", "backup"] } },
  }),
  User: objectSchema({
    id: uuid,
    name: string,
    email: string,
    role: nullable(string),
    emailVerified: boolean,
    twoFactorEnabled: boolean,
    avatar: nullable(string),
    avatarFile: nullable(schemaRef("FileDetails")),
    image: nullable(string),
  }),
  Me: objectSchema({
    user: schemaRef("User"),
    session: objectSchema({ id: uuid }),
  }),
  Session: objectSchema({
    id: uuid,
    name: nullable(string),
    browser: nullable(string),
    ipAddress: nullable(string),
    current: boolean,
    createdAt: timestamp,
    lastUsedAt: timestamp,
    expiresAt: nullable(timestamp),
  }),
  Passkey: objectSchema({
    id: string,
    name: string,
    createdAt: timestamp,
    lastUsedAt: nullable(timestamp),
    deviceType: string,
    backedUp: boolean,
  }),
  ImageProfile: objectSchema({
    name: string,
    width: integer,
    height: integer,
    fit: { type: "string", enum: ["cover", "contain"] },
    format: { type: "string", const: "webp" },
    renditions: {
      type: "object",
      additionalProperties: objectSchema({
        width: integer,
        height: integer,
        fit: { type: "string", enum: ["cover", "contain"] },
      }),
    },
  }),
  Descriptor: {
    type: "object",
    required: ["name", "singular", "label", "path", "fields", "access"],
    properties: {
      name: string,
      singular: string,
      label: string,
      path: string,
      fields: {
        type: "array",
        items: {
          type: "object",
          required: ["name", "type", "required", "unique"],
          properties: { name: string, type: string, required: boolean, unique: boolean },
        },
      },
      access: {
        type: "object",
        additionalProperties: { anyOf: [string, { type: "array", items: string }] },
      },
    },
  },
};
