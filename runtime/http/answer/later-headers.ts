import type { ServerResponse } from "node:http";

const later = Symbol("later");

type HeadersOf = (response: ServerResponse) => Readonly<Record<string, string>>;

interface WithHeaders extends ServerResponse {
  [later]?: HeadersOf;
}

/**
 * Defers headers until the head is written, since they may change until then: setting one in Node.js takes as long as
 * checking a rate limit.
 */
export function addLater(response: WithHeaders, headersOf: HeadersOf): void {
  response[later] = headersOf;
}

/** Sets deferred headers before the head is written, or before calling code that may write it. */
export function setLaterHeaders(response: WithHeaders): void {
  const headers = response[later]?.(response);
  if (headers === undefined || response.headersSent) return;
  for (const name in headers) response.setHeader(name, headers[name] ?? "");
}
