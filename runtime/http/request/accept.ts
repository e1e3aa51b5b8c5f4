import type { IncomingMessage } from "node:http";
import Negotiator from "negotiator";

/** True unless the `Accept` header excludes JSON. */
export function acceptsJson(request: IncomingMessage): boolean {
  const accept = request.headers.accept;
  if (accept === undefined || accept === "*/*" || accept === "application/json") return true;
  // Only `q` weighs a type; another parameter (`charset=utf-8`) does not make JSON something else.
  const weighed = accept.replace(/;(?!\s*q\s*=)[^;,]*/gi, "");
  const negotiator = new Negotiator({ headers: { accept: weighed } });
  return negotiator.mediaType(["application/json"]) !== undefined;
}
