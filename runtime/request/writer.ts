import { isUuid } from "../values/uuid.js";
import type { RequestState } from "./state.js";

/**
 * Returns the author of writes, as the change log reads it from the setting `service.account`: the id of the request's
 * account and the name of its service token, or the name of the job. Names are in base64, so that nothing needs
 * escaping. `account` is used if the request has none. Null if the author is unknown.
 */
export function writerOf(
  request: Pick<RequestState, "accountId" | "serviceToken" | "job"> | null,
  account: string | null = null,
): string | null {
  if (request !== null && request.job !== null) return `job ${inBase64(request.job)}`;
  const id = request?.accountId ?? account;
  // If the app authenticates callers itself, their ids may have any form and are not accounts of the package.
  if (id === null || !isUuid(id)) return null;
  const name = request?.accountId == null ? null : request.serviceToken;
  return name === null ? id.toLowerCase() : `${id.toLowerCase()} ${inBase64(name)}`;
}

function inBase64(text: string): string {
  return Buffer.from(text).toString("base64");
}
