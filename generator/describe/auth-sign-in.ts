import type { AuthMethod } from "../model/operations.js";
import {
  type AuthOperation,
  challenge,
  credential,
  deviceName,
  email,
  mailed,
  name,
  nothing,
  ofProof,
  passkeyOptions,
  signedIn,
} from "./auth-parts.js";
import { boolean, integer, jsonAnswer, objectSchema, string } from "./operation.js";

/** The operations for people who are not signed in, by their method of the client. */
export const signInOperations = {
  config: {
    summary: "Which ways to sign in are switched on",
    isPublic: true,
    answers: {
      200: jsonAnswer(
        "The switches.",
        objectSchema({
          registration: boolean,
          password: boolean,
          magicLink: boolean,
          emailCode: boolean,
          passkeys: boolean,
          twoFactor: objectSchema({ authenticator: boolean, email: boolean }),
          requireEmailVerification: boolean,
          passwordMinLength: integer,
        }),
      ),
    },
  },
  signIn: {
    summary: "Sign in with a password",
    isPublic: true,
    body: objectSchema({ email: string, password: string, deviceName }, ["deviceName"]),
    answers: { 200: challenge, 201: signedIn },
    refusals: [...ofProof, "ForbiddenForNow"],
  },
  sendTwoFactorCode: {
    summary: "Mail a code for the second step",
    isPublic: true,
    body: objectSchema({ challenge: string }),
    answers: { 204: nothing },
    refusals: [...ofProof, "NotFound"],
  },
  verifyTwoFactor: {
    summary: "Sign in with the second step",
    isPublic: true,
    body: objectSchema(
      {
        challenge: string,
        method: { type: "string", enum: ["totp", "email", "backup"] },
        code: string,
        deviceName,
      },
      ["deviceName"],
    ),
    answers: { 201: signedIn },
    refusals: [...ofProof, "NotFound"],
  },
  passkeyOptions: {
    summary: "Options for signing in with a passkey",
    isPublic: true,
    body: objectSchema({}),
    answers: { 200: passkeyOptions("PublicKeyCredentialRequestOptions") },
    refusals: ["NotFound", "Invalid", "TooManyAttempts"],
  },
  signInWithPasskey: {
    summary: "Sign in with a passkey",
    isPublic: true,
    body: objectSchema({ credential, deviceName }, ["deviceName"]),
    answers: { 201: signedIn },
    refusals: [...ofProof, "NotFound"],
  },
  sendMagicLink: {
    summary: "Mail a link to sign in",
    isPublic: true,
    body: objectSchema({ email, redirectTo: { type: "string", maxLength: 2000 } }, ["redirectTo"]),
    answers: { 204: mailed },
    refusals: ["NotFound", "Invalid", "TooManyAttempts"],
  },
  verifyMagicLink: {
    summary: "Sign in with a mailed link",
    isPublic: true,
    body: objectSchema({ token: string, deviceName }, ["deviceName"]),
    answers: { 200: challenge, 201: signedIn },
    refusals: [...ofProof, "NotFound"],
  },
  sendEmailCode: {
    summary: "Mail a code to sign in",
    isPublic: true,
    body: objectSchema({ email }),
    answers: { 204: mailed },
    refusals: ["NotFound", "Invalid", "TooManyAttempts"],
  },
  verifyEmailCode: {
    summary: "Sign in with a mailed code",
    isPublic: true,
    body: objectSchema({ email, code: string, deviceName }, ["deviceName"]),
    answers: { 200: challenge, 201: signedIn },
    refusals: [...ofProof, "NotFound"],
  },
  register: {
    summary: "Create an account for oneself",
    isPublic: true,
    body: objectSchema({ name, email, password: string, deviceName }, ["deviceName"]),
    answers: {
      200: jsonAnswer(
        "The address has to be verified first.",
        objectSchema({ emailVerification: { type: "boolean", const: true } }),
      ),
      201: signedIn,
    },
    refusals: ["NotFound", "Conflict", "RefusedProof", "TooManyAttempts"],
  },
  sendVerification: {
    summary: "Mail a code and a link that verify an address",
    isPublic: true,
    body: objectSchema({ email }),
    answers: { 204: mailed },
    refusals: ["Invalid", "TooManyAttempts"],
  },
  verifyEmail: {
    summary: "Verify an address with what was mailed",
    isPublic: true,
    body: { anyOf: [objectSchema({ email, code: string }), objectSchema({ token: string })] },
    answers: { 204: nothing },
    refusals: ofProof,
  },
  forgotPassword: {
    summary: "Mail a link that sets a new password",
    isPublic: true,
    body: objectSchema({ email }),
    answers: { 204: mailed },
    refusals: ["Invalid", "TooManyAttempts"],
  },
  resetPassword: {
    summary: "Set a new password with a mailed link",
    isPublic: true,
    body: objectSchema({ token: string, newPassword: string }),
    answers: { 204: nothing },
    refusals: ofProof,
  },
} satisfies Partial<Record<AuthMethod, AuthOperation>>;
