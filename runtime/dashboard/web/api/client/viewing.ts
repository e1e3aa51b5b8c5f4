import { storedForTab } from "./stored.js";

/** An operator's view of another account, in this window only: requests carry the view's token, not the cookie. */
export interface Viewing {
  readonly token: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

export const viewingKey = "dashboard:viewing";

/** Does not change until the page is left: a request without the token would act as the operator. */
const current = storedForTab<Viewing>(viewingKey);

/** Returns the view that this window shows; null if it shows none. */
export function viewing(): Viewing | null {
  return current;
}

/** Returns the headers of each request to the API. */
export function commonHeaders(): Readonly<Record<string, string>> {
  return {
    Accept: "application/json",
    "Service-Dashboard": "1",
    ...(current !== null && { Authorization: `Bearer ${current.token}` }),
  };
}
