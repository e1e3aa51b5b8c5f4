import type { IncomingMessage } from "node:http";
import Negotiator from "negotiator";

/** True unless the `Accept` header excludes JSON. */
export function acceptsJson(request: IncomingMessage): boolean {
  const accept = request.headers.accept;
  if (accept === undefined || accept === "*/*" || accept === json) return true;
  return accepts(accept, [json]);
}

/** True unless the `Accept` header excludes both a stream of events and JSON, in which its refusals are. */
export function acceptsEvents(request: IncomingMessage): boolean {
  const { accept } = request.headers;
  return accept === undefined || accepts(accept, ["text/event-stream", json]);
}

const json = "application/json";

function accepts(accept: string, types: readonly string[]): boolean {
  // Only `q` weighs a type; another parameter (`charset=utf-8`) does not make JSON something else.
  const weighed = accept.replace(/;(?!\s*q\s*=)[^;,]*/gi, "");
  const negotiator = new Negotiator({ headers: { accept: weighed } });
  return negotiator.mediaType([...types]) !== undefined;
}
