import type { Schema } from "../../kind/kind.js";
import type { AuthMethod } from "../../model/operations.js";
import { boolean, integer, jsonAnswer, objectSchema, schemaRef, string } from "../operation.js";
import {
  type AuthOperation,
  challenge,
  deviceName,
  email,
  mailed,
  name,
  nothing,
  passwordRules,
  signedIn,
  site,
} from "./parts.js";

const onlyTrue: Schema = {
  type: "boolean",
  const: true,
  description: "Omitted if disabled.",
};

const newName: Schema = {
  ...name,
  description: "The name for a new account; refused (422) without `auth.register_by_email`.",
};

/** The operations for callers who are not signed in, by client method. */
export const signInOperations = {
  config: {
    summary: "The enabled sign-in methods",
    isPublic: true,
    answers: {
      200: jsonAnswer(
        "The enabled sign-in methods.",
        objectSchema(
          {
            registration: boolean,
            password: boolean,
            magicLink: boolean,
            emailCode: boolean,
            passkeys: boolean,
            twoFactor: objectSchema({ authenticator: boolean, email: boolean }),
            requireEmailVerification: boolean,
            passwordMinLength: integer,
            deleteOwnAccount: onlyTrue,
            registerByEmail: onlyTrue,
            providers: {
              type: "array",
              description: "Omitted if the app has none.",
              items: objectSchema({ name: string, title: string }),
            },
          },
          ["deleteOwnAccount", "registerByEmail", "providers"],
        ),
      ),
    },
  },
  signIn: {
    summary: "Sign in with a password",
    isPublic: true,
    body: objectSchema({ email: string, password: string, deviceName }, ["deviceName"]),
    answers: { 200: challenge, 201: signedIn },
    refusals: ["Invalid", "TooManyAttempts"],
    codes: { 401: ["INVALID_EMAIL_OR_PASSWORD"], 403: ["EMAIL_NOT_VERIFIED"] },
  },
  sendTwoFactorCode: {
    summary: "Mail a code for the second step",
    isPublic: true,
    body: objectSchema({ challenge: string }),
    answers: { 204: nothing },
    refusals: ["Invalid", "TooManyAttempts"],
    codes: { 401: ["OTP_EXPIRED"] },
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
    refusals: ["Invalid", "TooManyAttempts"],
    codes: { 401: ["INVALID_TWO_FACTOR_CODE", "OTP_EXPIRED"] },
  },
  passkeyOptions: {
    summary: "Options for signing in with a passkey",
    isPublic: true,
    body: objectSchema({ site }, ["site"]),
    answers: {
      200: jsonAnswer("The options.", schemaRef("PublicKeyCredentialRequestOptionsJSON")),
    },
    refusals: ["Invalid"],
  },
  signInWithPasskey: {
    summary: "Sign in with a passkey",
    isPublic: true,
    body: objectSchema({ credential: schemaRef("AuthenticationResponseJSON"), deviceName }, [
      "deviceName",
    ]),
    answers: { 201: signedIn },
    refusals: ["Invalid", "TooManyAttempts"],
    codes: { 401: ["INVALID_PASSKEY"] },
  },
  sendMagicLink: {
    summary: "Mail a link to sign in",
    isPublic: true,
    body: objectSchema({ email, redirectTo: { type: "string", maxLength: 2000 }, site }, [
      "redirectTo",
      "site",
    ]),
    answers: { 204: mailed },
    refusals: ["Invalid", "TooManyAttempts"],
  },
  verifyMagicLink: {
    summary: "Sign in with a mailed link",
    isPublic: true,
    body: objectSchema({ token: string, name: newName, deviceName }, ["name", "deviceName"]),
    answers: { 200: challenge, 201: signedIn },
    refusals: ["Invalid"],
    codes: { 401: ["INVALID_TOKEN"] },
  },
  sendEmailCode: {
    summary: "Mail a code to sign in",
    isPublic: true,
    body: objectSchema({ email }),
    answers: { 204: mailed },
    refusals: ["Invalid", "TooManyAttempts"],
  },
  verifyEmailCode: {
    summary: "Sign in with a mailed code",
    isPublic: true,
    body: objectSchema({ email, code: string, name: newName, deviceName }, ["name", "deviceName"]),
    answers: { 200: challenge, 201: signedIn },
    refusals: ["Invalid", "TooManyAttempts"],
    codes: { 401: ["INVALID_OTP", "OTP_EXPIRED"] },
  },
  register: {
    summary: "Register an account",
    isPublic: true,
    body: objectSchema({ name, email, password: string, deviceName, site }, ["deviceName", "site"]),
    answers: {
      200: jsonAnswer(
        "The address has to be verified first.",
        objectSchema({ emailVerification: { type: "boolean", const: true } }),
      ),
      201: signedIn,
    },
    refusals: ["Invalid"],
    codes: { 409: ["USER_ALREADY_EXISTS"], 422: ["USER_ALREADY_EXISTS", ...passwordRules] },
  },
  sendVerification: {
    summary: "Mail a code and a link that verify an address",
    isPublic: true,
    body: objectSchema({ email, site }, ["site"]),
    answers: { 204: mailed },
    refusals: ["Invalid", "TooManyAttempts"],
  },
  verifyEmail: {
    summary: "Verify an address with the mailed code or link",
    isPublic: true,
    body: { anyOf: [objectSchema({ email, code: string }), objectSchema({ token: string })] },
    answers: { 204: nothing },
    refusals: ["Invalid", "TooManyAttempts"],
    codes: { 401: ["INVALID_TOKEN", "INVALID_OTP", "OTP_EXPIRED"] },
  },
  verifyEmailChange: {
    summary: "Change the address with the code or link mailed to the new one",
    description: "The link's token is sufficient; a code also requires the token of its account.",
    isPublic: true,
    body: { anyOf: [objectSchema({ code: string }), objectSchema({ token: string })] },
    answers: { 204: nothing },
    refusals: ["NoToken", "NotFresh", "Invalid", "TooManyAttempts"],
    codes: {
      401: ["INVALID_TOKEN"],
      409: ["USER_ALREADY_EXISTS"],
      422: ["INVALID_OTP", "OTP_EXPIRED"],
    },
  },
  forgotPassword: {
    summary: "Mail a link that sets a new password",
    isPublic: true,
    body: objectSchema({ email, site }, ["site"]),
    answers: { 204: mailed },
    refusals: ["Invalid", "TooManyAttempts"],
  },
  resetPassword: {
    summary: "Set a new password with a mailed link",
    isPublic: true,
    body: objectSchema({ token: string, newPassword: string }),
    answers: { 204: nothing },
    refusals: ["Invalid"],
    codes: { 401: ["INVALID_TOKEN"], 422: passwordRules },
  },
} satisfies Partial<Record<AuthMethod, AuthOperation>>;
