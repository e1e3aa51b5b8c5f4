import type { Schema } from "../kind/kind.js";
import { appSchemas } from "./accounts/apps.js";
import { serviceToken } from "./accounts/parts.js";
import { webAuthnSchemas } from "./accounts/web-authn.js";
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
import { accountCodes } from "./refusals.js";

const parameterIssues: Schema = {
  type: "array",
  maxItems: 101,
  items: objectSchema({ param: string, message: string }),
};

const issues = schemaRef("Issues");

/**
 * The caller's permissions for records of a resource: `own` is limited to the caller's records,
 * `maybe` depends on a policy.
 */
const permission: Schema = { anyOf: [boolean, { type: "string", enum: ["own", "maybe"] }] };
const actions = ["list", "get", "stats", "create", "update", "delete"];

/** The ETags of the complete records, in the order of `data`. */
const tags: Schema = { type: "array", items: string };

/** Entries of `components.schemas` that every document contains. */
export const sharedSchemas: Readonly<Record<string, Schema>> = {
  Issues: {
    type: "array",
    maxItems: 101,
    items: objectSchema({ path: string, message: string }),
  },
  // App hooks may return issues with any status.
  Error: objectSchema({ error: string, issues }, ["issues"]),
  ParameterError: objectSchema({ error: string, issues: parameterIssues }, ["issues"]),
  ConflictError: objectSchema({ error: string, field: string, issues }, ["field", "issues"]),
  AccountError: objectSchema(
    { error: string, code: { enum: accountCodes }, issues, field: string },
    ["code", "issues", "field"],
  ),
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
  OptionalFile: nullable(schemaRef("FileDetails")),
  PageMeta: objectSchema(
    {
      page: integer,
      perPage: integer,
      total: integer,
      totalPages: integer,
      etags: tags,
      more: boolean,
      highlights: {
        type: "object",
        additionalProperties: { type: "object", additionalProperties: string },
      },
    },
    ["etags", "more", "highlights"],
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
    avatarFile: schemaRef("OptionalFile"),
    image: nullable(string),
  }),
  Me: objectSchema(
    {
      user: schemaRef("User"),
      session: objectSchema({ id: uuid }),
      operator: boolean,
      viewer: {
        ...objectSchema({ id: uuid, name: string }),
        description: "The operator who views the app as this account; absent otherwise.",
      },
    },
    ["viewer"],
  ),
  Session: objectSchema(
    {
      kind: {
        type: "string",
        enum: ["app", "view"],
        description: "Absent for a device that a person signed in on, and for a service token.",
      },
      id: uuid,
      name: nullable(string),
      browser: nullable(string),
      ipAddress: nullable(string),
      current: boolean,
      createdAt: timestamp,
      lastUsedAt: timestamp,
      expiresAt: nullable(timestamp),
    },
    ["kind"],
  ),
  ServiceToken: objectSchema(serviceToken),
  ...appSchemas,
  Passkey: objectSchema({
    id: string,
    name: string,
    createdAt: timestamp,
    lastUsedAt: nullable(timestamp),
    deviceType: string,
    backedUp: boolean,
  }),
  ...webAuthnSchemas,
  LinkedIdentity: objectSchema({
    id: uuid,
    provider: string,
    title: string,
    email: nullable(string),
    createdAt: timestamp,
    lastUsedAt: nullable(timestamp),
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
  Descriptor: descriptorSchema(["history"]),
};

/**
 * Returns the schema of a descriptor in the response of `GET /_service/resources`; `optional` lists permissions that
 * only some resources have.
 */
export function descriptorSchema(optional: readonly string[]): Schema {
  return {
    type: "object",
    required: ["name", "singular", "label", "path", "fields", "access", "can"],
    properties: {
      name: string,
      singular: string,
      label: string,
      path: string,
      fields: {
        type: "array",
        items: {
          type: "object",
          required: ["name", "type", "required", "unique", "readable", "writable"],
          properties: {
            name: string,
            type: string,
            required: boolean,
            unique: boolean,
            readable: boolean,
            writable: boolean,
            link: string,
          },
        },
      },
      access: {
        type: "object",
        additionalProperties: { anyOf: [string, { type: "array", items: string }] },
      },
      can: objectSchema(
        Object.fromEntries([...actions, ...optional].map((action) => [action, permission])),
        optional,
      ),
    },
  };
}
