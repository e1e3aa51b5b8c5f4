import type { IncomingMessage } from "node:http";

/**
 * Maximum number of header lines in a request. Node drops lines beyond its own limit, so a client could push out those
 * that a proxy adds. Browsers and proxies send 10 to 40.
 */
export const maxHeaderLines = 100;

/** Returns the status that refuses a request because of its head; null if the head is valid. */
export function headProblem({
  rawHeaders,
  httpVersionMajor,
  httpVersionMinor,
}: IncomingMessage): 400 | 431 | null {
  if (rawHeaders.length > maxHeaderLines * 2) return 431;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  // Since HTTP/1.1, a request has exactly one `Host` (RFC 9112 §3.2).
  if (hosts === 1) return null;
  return hosts === 0 && httpVersionMajor === 1 && httpVersionMinor === 0 ? null : 400;
}
