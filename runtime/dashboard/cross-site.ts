import type { IncomingMessage } from "node:http";

const reading: ReadonlySet<string | undefined> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Whether another site may have caused this request. The headers that browsers send for this are trusted; other
 * programs send none, and have no cookie that another site could misuse.
 */
export function isCrossSite(request: IncomingMessage, webOrigin: string | null): boolean {
  const { method, headers } = request;
  if (reading.has(method)) return false;
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  const { origin } = headers;
  if (origin === undefined) return false;
  const host = headers.host?.toLowerCase() ?? "";
  return ![webOrigin, `http://${host}`, `https://${host}`].includes(origin);
}
