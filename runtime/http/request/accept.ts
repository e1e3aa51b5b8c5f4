import type { IncomingMessage } from "node:http";
import Negotiator from "negotiator";

/** Whether the `Accept` header allows JSON. */
export function acceptsJson(request: IncomingMessage): boolean {
  const accept = request.headers.accept;
  if (accept === undefined || accept === "*/*" || accept === json) return true;
  return accepts(accept, [json]);
}

/** Whether the `Accept` header allows event streams or JSON, the type of refusals. */
export function acceptsEvents(request: IncomingMessage): boolean {
  const { accept } = request.headers;
  return accept === undefined || accepts(accept, ["text/event-stream", json]);
}

const json = "application/json";

function accepts(accept: string, types: readonly string[]): boolean {
  // Only `q` weighs a type; other parameters (`charset=utf-8`) do not change it.
  const weighed = accept.replace(/;(?!\s*q\s*=)[^;,]*/gi, "");
  const negotiator = new Negotiator({ headers: { accept: weighed } });
  return negotiator.mediaType([...types]) !== undefined;
}
