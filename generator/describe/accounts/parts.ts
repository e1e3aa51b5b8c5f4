import type { Schema } from "../../kind/kind.js";
import {
  emptyAnswer,
  jsonAnswer,
  nullable,
  objectSchema,
  schemaRef,
  string,
  timestamp,
  uuid,
} from "../operation.js";
import type { AccountCode, Codes, RefusalName } from "../refusals.js";

/** Capitalized, unlike the tags of resources. */
export const authTagName = "Accounts";

/** One operation below `/auth`, without the parts that all operations share. */
export interface AuthOperation {
  readonly summary: string;
  readonly description?: string;
  readonly isPublic?: true;
  readonly body?: Schema;
  readonly parameters?: readonly Schema[];
  readonly answers: Readonly<Record<number, Schema>>;
  readonly refusals?: readonly RefusalName[];
  readonly codes?: Codes;
}

export const email: Schema = { type: "string", format: "email", maxLength: 254 };
export const name: Schema = { type: "string", minLength: 1, maxLength: 255 };
export const deviceName = nullable(name);
/** The front end that a request concerns. */
export const site: Schema = {
  ...string,
  description: "A name in `auth.sites`. Default: `default`, the site at `SERVICE_WEB_URL`.",
};
export const signedIn = jsonAnswer("Signed in.", schemaRef("SignedIn"));
export const challenge = jsonAnswer("A second step is required.", schemaRef("Challenge"));
export const nothing = emptyAnswer("Done.");
export const mailed = emptyAnswer("The same response, whether or not the account exists.");
export const backupCodes = jsonAnswer(
  "Backup codes, shown once.",
  objectSchema({ backupCodes: { type: "array", items: string } }),
);
/** A service token as it appears in lists. */
export const serviceToken: Readonly<Record<string, Schema>> = {
  id: uuid,
  name: string,
  createdAt: timestamp,
  lastUsedAt: timestamp,
  expiresAt: nullable(timestamp),
};
export const id: Schema = { name: "id", in: "path", required: true, schema: string };

export const ofBody = ["BadBody", "MediaType"] as const;

/** Refusals of operations that set a password. */
export const passwordRules = [
  "PASSWORD_TOO_SHORT",
  "PASSWORD_TOO_LONG",
  "PASSWORD_COMPROMISED",
] as const satisfies readonly AccountCode[];

/** Refusals of operations that require the caller to confirm their password. */
export const wrongPassword = [
  "INVALID_PASSWORD",
  "PASSWORD_NOT_SET",
] as const satisfies readonly AccountCode[];
