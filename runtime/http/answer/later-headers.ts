import type { ServerResponse } from "node:http";

const later = Symbol("later");

type HeadersOf = (response: ServerResponse) => Readonly<Record<string, string>>;

interface WithHeaders extends ServerResponse {
  [later]?: HeadersOf;
}

/**
 * Has headers made when the head of the answer is, because they may change until then: Node.js takes as long to set one
 * as a limit to judge a request.
 */
export function addLater(response: WithHeaders, headersOf: HeadersOf): void {
  response[later] = headersOf;
}

/** Sets them, as the head of an answer is made, or before code is called that may send one by itself. */
export function setLaterHeaders(response: WithHeaders): void {
  const headers = response[later]?.(response);
  if (headers === undefined || response.headersSent) return;
  for (const name in headers) response.setHeader(name, headers[name] ?? "");
}
