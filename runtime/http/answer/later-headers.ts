import type { ServerResponse } from "node:http";

const later = Symbol("later");

/** A property costs a request a tenth of what an entry in a WeakMap does. */
interface WithHeaders extends ServerResponse {
  [later]?: Readonly<Record<string, string>>;
}

/**
 * Remembers headers that may still change, in place of those remembered before: Node.js takes as long to set one as a
 * limit to judge a request.
 */
export function setLater(response: WithHeaders, headers: Readonly<Record<string, string>>): void {
  response[later] = headers;
}

/** Sets them, as the head of an answer is made, or before code is called that may send one by itself. */
export function setRemembered(response: WithHeaders): void {
  const headers = response[later];
  if (headers === undefined || response.headersSent) return;
  for (const name in headers) response.setHeader(name, headers[name] ?? "");
}
