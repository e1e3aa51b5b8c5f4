import type { ProviderMethod } from "../../model/operations.js";
import {
  jsonAnswer,
  listSchema,
  type Operation,
  objectSchema,
  schemaRef,
  string,
} from "../operation.js";
import {
  type AuthOperation,
  authTagName,
  challenge,
  deviceName,
  id,
  nothing,
  signedIn,
} from "./parts.js";

/** Operations for signing in with providers and for the linked identities of an account. */
export const providerOperations: Readonly<Record<ProviderMethod, AuthOperation>> = {
  startProvider: {
    summary: "Start a sign-in with a provider",
    isPublic: true,
    body: objectSchema({
      provider: string,
      challenge: {
        type: "string",
        description: "The SHA-256 of a secret of the client, in base64url.",
        pattern: "^[A-Za-z0-9_-]{43}$",
      },
      returnTo: { type: "string", maxLength: 2000 },
    }),
    answers: {
      200: jsonAnswer("The address to send the browser to.", objectSchema({ url: string })),
    },
    refusals: ["Invalid"],
    codes: { 503: ["PROVIDER_UNAVAILABLE"] },
  },
  verifyProvider: {
    summary: "Sign in with the ticket that came back from a provider",
    isPublic: true,
    body: objectSchema({ ticket: string, secret: string, deviceName }, ["deviceName"]),
    answers: { 200: challenge, 201: signedIn },
    refusals: ["Invalid"],
    codes: { 401: ["INVALID_TOKEN"], 403: ["ACCOUNT_NOT_LINKED"] },
  },
  signInWithIdToken: {
    summary: "Sign in with an ID token that a native app received from a provider",
    isPublic: true,
    body: objectSchema({ provider: string, idToken: string, nonce: string, deviceName }, [
      "deviceName",
    ]),
    answers: { 200: challenge, 201: signedIn },
    refusals: ["Invalid"],
    codes: {
      401: ["INVALID_TOKEN"],
      403: ["ACCOUNT_NOT_LINKED"],
      503: ["PROVIDER_UNAVAILABLE"],
    },
  },
  identities: {
    summary: "The providers with which the caller can sign in",
    answers: { 200: jsonAnswer("The identities.", listSchema(schemaRef("LinkedIdentity"))) },
  },
  addIdentity: {
    summary: "Link the sign-in with a provider to the caller's account",
    body: objectSchema({ ticket: string, secret: string }),
    answers: { 201: jsonAnswer("The identity.", schemaRef("LinkedIdentity")) },
    refusals: ["NotFresh", "Invalid"],
    codes: {
      403: ["ACCOUNT_NOT_LINKED", "SESSION_NOT_FRESH"],
      409: ["IDENTITY_TAKEN", "PROVIDER_ALREADY_LINKED"],
      422: ["INVALID_TOKEN"],
    },
  },
  deleteIdentity: {
    summary: "Unlink a provider from the caller's account",
    parameters: [id],
    answers: { 204: nothing },
    refusals: ["NotFresh"],
    codes: { 422: ["LAST_SIGN_IN_METHOD"] },
  },
};

const callbackAnswers = {
  303: {
    description:
      "Redirects to the page or the app that started the sign-in, with `ticket` or `error`.",
    headers: { Location: { schema: { type: "string" } } },
  },
};

/** The URLs to which a provider redirects the browser. */
export const callbackOperations: readonly Operation[] = [
  {
    id: "getAuthProviderCallback",
    method: "get",
    path: "/auth/provider/callback",
    tag: authTagName,
    summary: "The callback from a provider",
    isPublic: true,
    parameters: ["state", "code", "iss", "error"].map((name) => ({
      name,
      in: "query",
      schema: string,
    })),
    answers: { 204: nothing, ...callbackAnswers },
    refusals: ["NotFound"],
    codes: { 401: ["INVALID_TOKEN"] },
  },
  {
    id: "postAuthProviderCallback",
    method: "post",
    path: "/auth/provider/callback",
    tag: authTagName,
    summary: "The callback from a provider, as a form post",
    isPublic: true,
    body: {
      required: true,
      content: {
        "application/x-www-form-urlencoded": {
          schema: {
            type: "object",
            properties: { state: string, code: string, iss: string, error: string, user: string },
          },
        },
      },
    },
    answers: callbackAnswers,
    example: "postAuthProviderCallback",
    refusals: ["NotFound", "BadBody", "MediaType"],
    codes: { 401: ["INVALID_TOKEN"] },
  },
  {
    id: "postAuthProviderLogout",
    method: "post",
    path: "/auth/provider/logout",
    tag: authTagName,
    summary: "A provider reports that an account has signed out",
    description:
      "OpenID Connect Back-Channel Logout 1.0, with `sub`: all devices that signed in with this identity are signed out.",
    isPublic: true,
    body: {
      required: true,
      content: {
        "application/x-www-form-urlencoded": {
          schema: objectSchema({ logout_token: string }),
        },
      },
    },
    answers: { 200: jsonAnswer("Signed out, or was not signed in.", objectSchema({})) },
    example: "postAuthProviderLogout",
    refusals: ["NotFound", "BadBody"],
    codes: { 503: ["PROVIDER_UNAVAILABLE"] },
  },
];
