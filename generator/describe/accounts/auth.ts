import type { Schema } from "../../kind/kind.js";
import { authMethods, groupedOperation, providerMethods } from "../../model/operations.js";
import { fileBody } from "../files.js";
import { jsonBody, type Operation } from "../operation.js";
import type { RefusalName } from "../refusals.js";
import { appOperations, oauthOperations } from "./apps.js";
import { ownAccountOperations } from "./own-account.js";
import { type AuthOperation, authTagName, ofBody } from "./parts.js";
import { callbackOperations, providerOperations } from "./providers.js";
import { signInOperations } from "./sign-in.js";

export const authTag: Schema = { name: authTagName, description: "Accounts and sign-in" };

const requests = { ...authMethods, ...providerMethods };
const operations: Readonly<Record<keyof typeof requests, AuthOperation>> = {
  ...signInOperations,
  ...ownAccountOperations,
  ...appOperations,
  ...providerOperations,
};

/** Returns every operation below `/auth`, including disabled ones. */
export function authOperations(): readonly Operation[] {
  const described = (Object.keys(requests) as (keyof typeof requests)[]).map((each): Operation => {
    const { body, refusals = [], ...rest } = operations[each];
    const [method = "", path = ""] = requests[each].split(" ");
    const isUpload = body === fileBody;
    const id = groupedOperation(each, "Auth");
    return {
      id,
      method: method.toLowerCase() as Operation["method"],
      path,
      tag: authTagName,
      ...rest,
      ...(isUpload ? { body } : body === undefined ? {} : { body: jsonBody(body), example: id }),
      // 404 if the method is disabled, or the app has no accounts.
      refusals: [
        ...refusals,
        ...ofCaller(operations[each]),
        "NotFound",
        ...(body === undefined || isUpload ? [] : ofBody),
      ],
    };
  });
  return [...described, ...callbackOperations, ...oauthOperations];
}

/** Returns the 403 of operations that need a token, as tokens of apps are refused. */
function ofCaller({ isPublic, refusals = [] }: AuthOperation): readonly RefusalName[] {
  return isPublic === true || refusals.includes("NotFresh") ? [] : ["Forbidden"];
}
