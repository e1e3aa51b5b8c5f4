import type { Schema } from "../../kind/kind.js";
import { groupedOperation, type ServiceMethod, serviceMethods } from "../../model/operations.js";
import {
  boolean,
  cursorPage,
  emptyAnswer,
  integer,
  jsonAnswer,
  jsonBody,
  listSchema,
  nullable,
  type Operation,
  objectSchema,
  schemaRef,
  string,
  timestamp,
  uuid,
} from "../operation.js";
import { parameterRef } from "../resource/parameters.js";
import { authTagName, email, serviceToken } from "./parts.js";

const account: Readonly<Record<string, Schema>> = {
  id: uuid,
  name: string,
  email: string,
  role: nullable(string),
  emailVerified: boolean,
  twoFactorEnabled: boolean,
  disabled: boolean,
  createdAt: timestamp,
  lastUsedAt: nullable(timestamp),
};
const person = objectSchema({ id: uuid, email: nullable(string) });
const kinds = [
  ..."signed-in signed-out password-changed password-reset two-factor-on two-factor-off".split(" "),
  ..."backup-codes-renewed passkey-added passkey-removed identity-added identity-removed".split(
    " ",
  ),
  ..."address-adopted email-changed token-created".split(" "),
  ..."token-revoked account-created account-changed account-disabled account-enabled".split(" "),
  ..."account-deleted sessions-ended reset-mailed".split(" "),
  ..."app-connected app-token-reused app-disconnected viewed-as".split(" "),
];

/** Schemas of data that only operators can read. */
export const accountSchemas: Readonly<Record<string, Schema>> = {
  Account: objectSchema(account),
  AccountDetails: objectSchema(
    {
      ...account,
      sessions: { type: "array", items: schemaRef("Session") },
      identities: {
        type: "array",
        description: "Omitted if the app has no providers.",
        items: schemaRef("LinkedIdentity"),
      },
    },
    ["identities"],
  ),
  AccountEvent: objectSchema(
    {
      id: string,
      at: timestamp,
      kind: { type: "string", enum: kinds },
      account: person,
      by: nullable(person),
      reason: { ...string, description: "Present only if `kind` is `viewed-as`." },
    },
    ["reason"],
  ),
  AccountToken: objectSchema({
    ...serviceToken,
    account: objectSchema({ id: uuid, email: string }),
  }),
};

const name: Schema = { type: "string", minLength: 1, maxLength: 255 };
const query = (parameter: string, schema: Schema): Schema => ({
  name: parameter,
  in: "query",
  schema,
});
const sorted = ["name", "email", "role", "createdAt", "lastUsedAt"];
const done = emptyAnswer("Done.");
const one = jsonAnswer("The account.", schemaRef("Account"));
const onOne = [parameterRef("Id")];
const fresh = ["NotFresh", "NotFound"] as const;
const body = ["BadBody", "MediaType", "Invalid"] as const;

type Described = Pick<Operation, "summary" | "answers" | "refusals"> & Partial<Operation>;

const described = {
  accounts: {
    summary: "Accounts: a page of a list",
    parameters: [
      parameterRef("Page"),
      parameterRef("PerPage"),
      query("q", { type: "string", maxLength: 200 }),
      query("sort", { type: "string", enum: sorted.flatMap((field) => [field, `-${field}`]) }),
      query("filter[role]", string),
      query("filter[disabled]", boolean),
    ],
    answers: {
      200: jsonAnswer(
        "The page.",
        objectSchema({
          data: { type: "array", items: schemaRef("Account") },
          meta: objectSchema({
            page: integer,
            perPage: integer,
            total: integer,
            totalPages: integer,
          }),
        }),
      ),
    },
    refusals: ["BadQuery", "Forbidden", "NotFound"],
  },
  account: {
    summary: "Account: read",
    parameters: onOne,
    answers: { 200: jsonAnswer("The account with its devices.", schemaRef("AccountDetails")) },
    refusals: ["Forbidden", "NotFound"],
  },
  inviteAccount: {
    summary: "Account: create, and mail an invitation",
    body: jsonBody(
      objectSchema(
        {
          name,
          email,
          role: { ...nullable(name) },
        },
        ["role"],
      ),
    ),
    answers: {
      201: jsonAnswer("The new account.", schemaRef("Account"), {
        headers: { Location: { schema: string } },
      }),
    },
    refusals: [...fresh, ...body, "TooManyAttempts"],
    codes: { 422: ["USER_ALREADY_EXISTS"] },
  },
  updateAccount: {
    summary: "Account: change the name, the role, the address, or whether it is disabled",
    parameters: onOne,
    body: jsonBody(
      objectSchema({ name, role: nullable(name), email, disabled: boolean }, [
        "name",
        "role",
        "email",
        "disabled",
      ]),
    ),
    answers: { 200: one },
    refusals: [...fresh, ...body, "TooManyAttempts"],
    codes: { 409: ["USER_ALREADY_EXISTS"], 422: ["USER_ALREADY_EXISTS"] },
  },
  deleteAccount: {
    summary: "Account: delete",
    parameters: onOne,
    answers: { 204: done },
    refusals: [...fresh, "InUse", "Invalid"],
  },
  endAccountSessions: {
    summary: "Account: sign out all its devices",
    parameters: onOne,
    answers: { 204: done },
    refusals: fresh,
  },
  disableAccountTwoFactor: {
    summary: "Account: disable its second step",
    parameters: onOne,
    answers: { 204: done },
    refusals: [...fresh, "Invalid"],
  },
  resetAccountPassword: {
    summary: "Account: mail a link that sets a new password",
    parameters: onOne,
    answers: { 204: done },
    refusals: [...fresh, "Invalid", "TooManyAttempts"],
  },
  viewAccount: {
    summary: "Account: view the app as this account, for 30 minutes",
    parameters: onOne,
    body: jsonBody(objectSchema({ reason: { type: "string", minLength: 1, maxLength: 200 } })),
    answers: {
      201: jsonAnswer("A read-only token.", objectSchema({ token: string, expiresAt: timestamp })),
    },
    refusals: [...fresh, ...body],
  },
  accountEvents: {
    summary: "Account events, newest first",
    parameters: [
      parameterRef("Cursor"),
      parameterRef("PerPage"),
      query("filter[accountId]", uuid),
      query("filter[kind]", { type: "string", enum: kinds }),
    ],
    answers: {
      200: jsonAnswer("The page.", cursorPage(schemaRef("AccountEvent"))),
    },
    refusals: ["BadQuery", "Forbidden", "NotFound"],
  },
  accountTokens: {
    summary: "The service tokens of all accounts, newest first",
    answers: { 200: jsonAnswer("The tokens.", listSchema(schemaRef("AccountToken"))) },
    refusals: ["Forbidden", "NotFound"],
  },
  deleteAccountToken: {
    summary: "Revoke the service token of an account",
    parameters: onOne,
    answers: { 204: done },
    refusals: fresh,
  },
} satisfies Partial<Record<ServiceMethod, Described>>;

/** The client methods that are described here. */
export type AccountMethod = keyof typeof described;

/** The operations for managing accounts: 404 without `auth.operators`. */
export function accountOperations(): readonly Operation[] {
  return (Object.keys(described) as AccountMethod[]).map((each) => {
    const own: Described = described[each];
    const [method = "", path = ""] = serviceMethods[each].split(" ");
    const id = groupedOperation(each, "Service");
    return {
      id,
      method: method.toLowerCase() as Operation["method"],
      path,
      tag: authTagName,
      ...own,
      ...(own.body === undefined ? {} : { example: id }),
    };
  });
}
