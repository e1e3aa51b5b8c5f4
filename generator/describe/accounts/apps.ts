import type { Schema } from "../../kind/kind.js";
import type { AuthMethod } from "../../model/operations.js";
import {
  boolean,
  integer,
  jsonAnswer,
  listSchema,
  nullable,
  type Operation,
  objectSchema,
  schemaRef,
  string,
  timestamp,
  uuid,
} from "../operation.js";
import { type AuthOperation, authTagName, id, nothing } from "./parts.js";

const scope: Schema = { type: "string", enum: ["read", "read write"] };

/** Schemas of apps that act on behalf of accounts (OAuth clients). */
export const appSchemas: Readonly<Record<string, Schema>> = {
  ConnectedApp: objectSchema({
    id: uuid,
    name: { type: "string", description: "The name that the app claims." },
    client: {
      type: "string",
      description: "The app's client id: the URL of its Client ID Metadata Document.",
    },
    scope,
    resource: string,
    createdAt: timestamp,
    lastUsedAt: timestamp,
  }),
  AppRequest: objectSchema({
    client: objectSchema({ id: string, host: string, name: nullable(string) }),
    redirectHost: string,
    scope,
    resource: string,
  }),
  OAuthTokens: objectSchema({
    access_token: string,
    token_type: { type: "string", const: "Bearer" },
    expires_in: integer,
    refresh_token: string,
    scope,
  }),
  OAuthError: objectSchema({ error: string, error_description: string }),
};

/** Operations with which accounts manage such apps: 404 without `auth.apps`. */
export const appOperations = {
  apps: {
    summary: "The apps that act for the caller",
    answers: { 200: jsonAnswer("The apps.", listSchema(schemaRef("ConnectedApp"))) },
  },
  authorizeApp: {
    summary: "App: read its authorization request, or allow or deny it",
    body: objectSchema({ query: { type: "string", maxLength: 8192 }, allow: boolean, scope }, [
      "allow",
      "scope",
    ]),
    answers: {
      200: jsonAnswer("The request, or, after a decision, the address to send the browser to.", {
        anyOf: [schemaRef("AppRequest"), objectSchema({ redirectTo: string })],
      }),
    },
    refusals: ["NotFresh", "BadBody", "Invalid"],
  },
  disconnectApp: {
    summary: "App: disconnect",
    parameters: [{ ...id, schema: uuid }],
    answers: { 204: nothing },
    refusals: ["NotFresh"],
  },
} satisfies Partial<Record<AuthMethod, AuthOperation>>;

function formOf(names: readonly string[]): Schema {
  return {
    required: true,
    content: {
      "application/x-www-form-urlencoded": {
        schema: {
          type: "object",
          properties: Object.fromEntries(names.map((name) => [name, string])),
        },
      },
    },
  };
}

const error = jsonAnswer("An error of RFC 6749.", schemaRef("OAuthError"));

/** Operations that apps call themselves, without an account. */
export const oauthOperations: readonly Operation[] = [
  {
    id: "postOauthToken",
    method: "post",
    path: "/oauth/token",
    tag: authTagName,
    summary: "App: exchange a code or a refresh token for new tokens",
    isPublic: true,
    body: formOf(
      "grant_type code redirect_uri client_id code_verifier refresh_token scope resource".split(
        " ",
      ),
    ),
    example: "postOauthToken",
    answers: { 200: jsonAnswer("The tokens.", schemaRef("OAuthTokens")), 400: error },
    refusals: ["NotFound", "MediaType"],
  },
  {
    id: "postOauthRevoke",
    method: "post",
    path: "/oauth/revoke",
    tag: authTagName,
    summary: "App: revoke a token",
    isPublic: true,
    body: formOf(["token", "token_type_hint", "client_id"]),
    example: "postOauthRevoke",
    answers: { 200: nothing, 400: error },
    refusals: ["NotFound", "MediaType"],
  },
];
