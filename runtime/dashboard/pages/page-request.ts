import type { IncomingMessage } from "node:http";
import { accepts } from "./accepts.js";

/** Whether a request that matches no file is for the page. */
export type AsksForPage = (request: IncomingMessage, path: string) => boolean;

/** Whether a request navigates to a page. A script with a wrong address must not get the page. */
export const navigates: AsksForPage = ({ headers }) => {
  const mode = headers["sec-fetch-mode"];
  if (mode !== undefined) return mode === "navigate";
  return accepts(headers.accept ?? "", "text/html");
};

/**
 * Like `navigates`, but for the dashboard's own port, which serves nothing else: programs that accept any type also get
 * the page, unless the path ends in a file name.
 */
export const visits: AsksForPage = (request, path) => {
  if (navigates(request, path)) return true;
  const { accept = "", "sec-fetch-mode": mode } = request.headers;
  if (mode !== undefined || !accepts(accept, "*/*")) return false;
  return !path.slice(path.lastIndexOf("/")).includes(".");
};

/** Whether a request has the cookie of a session, which may have ended. */
export function carriesSession({ headers }: IncomingMessage): boolean {
  return /(?:^|;)\s*service_token=/.test(headers.cookie ?? "");
}
