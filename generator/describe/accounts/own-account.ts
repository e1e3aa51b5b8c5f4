import type { AuthMethod } from "../../model/operations.js";
import { fileBody, nameParameter } from "../files.js";
import { jsonAnswer, listSchema, objectSchema, schemaRef, string, uuid } from "../operation.js";
import {
  type AuthOperation,
  backupCodes,
  email,
  id,
  mailed,
  name,
  nothing,
  passwordRules,
  serviceToken,
  site,
  wrongPassword,
} from "./parts.js";

/** The operations on the caller's own account, by client method. */
export const ownAccountOperations = {
  me: {
    summary: "The caller's account",
    answers: { 200: jsonAnswer("The account.", schemaRef("Me")) },
  },
  updateMe: {
    summary: "Change the caller's name or picture",
    body: objectSchema(
      { name, avatar: { type: ["string", "null"], pattern: "^users/avatar/[\\w./-]+$" } },
      ["name", "avatar"],
    ),
    answers: { 200: jsonAnswer("The account.", schemaRef("Me")) },
    refusals: ["Invalid"],
  },
  deleteMe: {
    summary: "Delete the caller's account",
    description: "Requires the password, or a recent sign-in if the account has none.",
    body: objectSchema({ password: string }, ["password"]),
    answers: { 204: nothing },
    refusals: ["NotFresh", "InUse", "Invalid", "TooManyAttempts"],
    codes: { 422: wrongPassword },
  },
  changeEmail: {
    summary: "Mail a code and a link that change the address to a new one",
    description: "Requires the password, or a recent sign-in if the account has none.",
    body: objectSchema({ email, password: string, site }, ["password", "site"]),
    answers: { 204: mailed },
    refusals: ["NotFresh", "Invalid", "TooManyAttempts"],
    codes: { 422: wrongPassword },
  },
  uploadAvatar: {
    summary: "Upload the caller's picture",
    parameters: [nameParameter],
    body: fileBody,
    answers: { 201: jsonAnswer("The stored picture.", schemaRef("FileDetails")) },
    refusals: ["NotFresh", "RefusedFile", "MediaType"],
  },
  changePassword: {
    summary: "Change the password; other devices are signed out",
    body: objectSchema({ currentPassword: string, newPassword: string }),
    answers: { 204: nothing },
    refusals: ["NotFresh", "Invalid", "TooManyAttempts"],
    codes: { 422: [...wrongPassword, ...passwordRules] },
  },
  sessions: {
    summary: "The devices that are signed in",
    answers: { 200: jsonAnswer("The devices.", listSchema(schemaRef("Session"))) },
  },
  endOtherSessions: {
    summary: "Sign out all other devices",
    answers: { 204: nothing },
    refusals: ["NotFresh"],
  },
  endSession: {
    summary: "Sign out one device",
    parameters: [{ ...id, schema: uuid }],
    answers: { 204: nothing },
    refusals: ["NotFresh"],
  },
  serviceTokens: {
    summary: "The caller's service tokens",
    answers: { 200: jsonAnswer("The tokens.", listSchema(schemaRef("ServiceToken"))) },
  },
  createServiceToken: {
    summary: "Create a service token; it is shown once",
    body: objectSchema(
      {
        name: { type: "string", minLength: 1, maxLength: 255 },
        days: { type: ["integer", "null"], minimum: 1, maximum: 3650 },
      },
      ["days"],
    ),
    answers: {
      201: jsonAnswer("The token.", objectSchema({ ...serviceToken, token: string })),
    },
    refusals: ["NotFresh", "TooMany", "Invalid"],
  },
  deleteServiceToken: {
    summary: "Revoke a service token",
    parameters: [{ ...id, schema: uuid }],
    answers: { 204: nothing },
    refusals: ["NotFresh"],
  },
  enableTwoFactor: {
    summary: "Start setting up a second step",
    body: objectSchema({ password: string, method: { type: "string", enum: ["totp", "email"] } }, [
      "method",
    ]),
    answers: {
      200: jsonAnswer("The data for the set-up.", {
        anyOf: [
          objectSchema({
            method: { type: "string", const: "totp" },
            secret: string,
            uri: string,
            qrCode: string,
          }),
          objectSchema({ method: { type: "string", const: "email" } }),
        ],
      }),
    },
    refusals: ["NotFresh", "Invalid", "TooManyAttempts"],
    codes: { 422: [...wrongPassword, "TWO_FACTOR_ALREADY_ENABLED"] },
  },
  confirmTwoFactor: {
    summary: "Enable the second step with a first code",
    body: objectSchema({ code: string, password: string }, ["password"]),
    answers: { 200: backupCodes },
    refusals: ["NotFresh", "Invalid", "TooManyAttempts"],
    codes: { 422: [...wrongPassword, "INVALID_TWO_FACTOR_CODE", "TWO_FACTOR_NOT_ENABLED"] },
  },
  disableTwoFactor: {
    summary: "Disable the second step",
    body: objectSchema({ password: string }),
    answers: { 204: nothing },
    refusals: ["NotFresh", "Invalid", "TooManyAttempts"],
    codes: { 422: [...wrongPassword, "TWO_FACTOR_NOT_ENABLED"] },
  },
  renewBackupCodes: {
    summary: "Replace the backup codes",
    body: objectSchema({ password: string }),
    answers: { 200: backupCodes },
    refusals: ["NotFresh", "Invalid", "TooManyAttempts"],
    codes: { 422: [...wrongPassword, "TWO_FACTOR_NOT_ENABLED"] },
  },
  passkeys: {
    summary: "The caller's passkeys",
    answers: { 200: jsonAnswer("The passkeys.", listSchema(schemaRef("Passkey"))) },
  },
  addPasskeyOptions: {
    summary: "Options for adding a passkey",
    body: objectSchema({ site }, ["site"]),
    answers: {
      200: jsonAnswer("The options.", schemaRef("PublicKeyCredentialCreationOptionsJSON")),
    },
    refusals: ["NotFresh", "Invalid"],
    codes: { 422: ["TOO_MANY_PASSKEYS"] },
  },
  addPasskey: {
    summary: "Add a passkey",
    body: objectSchema(
      {
        credential: schemaRef("RegistrationResponseJSON"),
        name: { type: ["string", "null"], minLength: 1, maxLength: 120 },
      },
      ["name"],
    ),
    answers: { 201: jsonAnswer("The passkey.", schemaRef("Passkey")) },
    refusals: ["NotFresh", "Invalid"],
    codes: { 422: ["INVALID_PASSKEY", "TOO_MANY_PASSKEYS"] },
  },
  renamePasskey: {
    summary: "Rename a passkey",
    parameters: [id],
    body: objectSchema({ name: { type: "string", minLength: 1, maxLength: 120 } }),
    answers: { 200: jsonAnswer("The passkey.", schemaRef("Passkey")) },
    refusals: ["NotFresh", "Invalid"],
  },
  deletePasskey: {
    summary: "Remove a passkey",
    parameters: [id],
    answers: { 204: nothing },
    refusals: ["NotFresh"],
    codes: { 422: ["LAST_SIGN_IN_METHOD"] },
  },
  signOut: { summary: "Revoke the caller's token", answers: { 204: nothing } },
} satisfies Partial<Record<AuthMethod, AuthOperation>>;
