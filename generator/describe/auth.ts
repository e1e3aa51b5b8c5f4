import type { Schema } from "../kind/kind.js";
import { type AuthMethod, authMethods, groupedOperation } from "../model/operations.js";
import { ownAccountOperations } from "./auth-own-account.js";
import { type AuthOperation, ofBody } from "./auth-parts.js";
import { signInOperations } from "./auth-sign-in.js";
import { fileBody } from "./files.js";
import { jsonBody, type Operation } from "./operation.js";

/** In capitals, unlike the tags of resources. */
export const authTagName = "Accounts";
export const authTag: Schema = { name: authTagName, description: "Accounts and sign-in" };

const operations: Readonly<Record<AuthMethod, AuthOperation>> = {
  ...signInOperations,
  ...ownAccountOperations,
};

/** Every operation below `/auth`, those of all switches. */
export function authOperations(): readonly Operation[] {
  return (Object.keys(authMethods) as AuthMethod[]).map((each) => {
    const { body, refusals = [], ...rest } = operations[each];
    const [method = "", path = ""] = authMethods[each].split(" ");
    const isUpload = body === fileBody;
    const id = groupedOperation(each, "Auth");
    return {
      id,
      method: method.toLowerCase() as Operation["method"],
      path,
      tag: authTagName,
      ...rest,
      ...(isUpload ? { body } : body === undefined ? {} : { body: jsonBody(body), example: id }),
      // 404 where the method is switched off, or the app has no accounts.
      refusals: [...refusals, "NotFound", ...(body === undefined || isUpload ? [] : ofBody)],
    };
  });
}
