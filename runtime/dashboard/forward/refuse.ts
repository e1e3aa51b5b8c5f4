import type { ServerResponse } from "node:http";
import { endAfterBody } from "../../http/index.js";

const sentences = {
  400: "The request is malformed",
  403: "This request comes from another site",
  404: "Not found",
  405: "Method not allowed here",
  408: "The request did not arrive in time",
  431: "Request Header Fields Too Large",
  502: "The API did not respond",
  503: "Try again in a moment",
  504: "The API did not respond in time",
} as const;

export type RefusalStatus = keyof typeof sentences;

/** Responds with a refusal in the API's format; does nothing if a response has begun. */
export function refuse(response: ServerResponse, status: RefusalStatus): void {
  if (!write(response, status)) return;
  if (response.req.complete) response.end();
  else endAfterBody(response);
}

/** Like `refuse`, and closes the connection: the rest of the request is not read. */
export function refuseAtOnce(response: ServerResponse, status: RefusalStatus): void {
  if (response.headersSent || response.destroyed) return;
  response.setHeader("connection", "close");
  write(response, status);
  response.end();
}

function write(response: ServerResponse, status: RefusalStatus): boolean {
  if (response.headersSent || response.destroyed) return false;
  const json = JSON.stringify({ error: sentences[status] });
  response.statusCode = status;
  response.setHeader("content-type", "application/json; charset=utf-8");
  response.setHeader("cache-control", "no-store");
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("content-length", Buffer.byteLength(json));
  if (status === 405) response.setHeader("allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
  if (status === 503) response.setHeader("retry-after", "1");
  if (response.req.method !== "HEAD") response.write(json);
  else response.flushHeaders();
  return true;
}
