import type { IncomingMessage } from "node:http";
import * as contentType from "content-type";
import getRawBody from "raw-body";
import { refuse } from "../../errors/index.js";
import { maxJsonLevels, parseJson } from "../../values/json.js";
import type { Context } from "../route/route.js";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads the request's body, a JSON object. Refuses another media type (415), more than `maxBytes` or the configured
 * limit (413), and invalid or too deeply nested JSON (400).
 */
export async function readJson(
  context: Context,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<JsonObject> {
  return (await readJsonBody(context, maxBytes)).value;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Reads the body like `readJson`; also returns its bytes. */
export async function readJsonBody(
  context: Context,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<{ readonly value: JsonObject; readonly bytes: Buffer }> {
  const { request } = context;
  if (!isJson(request)) refuse("UNSUPPORTED_MEDIA_TYPE");
  refuseEncoded(request);
  const bytes = await readBytes(context, maxBytes);
  const value = parse(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    refuse("BAD_REQUEST", { error: "The body must be a JSON object" });
  }
  return { value: value as JsonObject, bytes };
}

/** Reads the body as sent; 413 for more than `maxBytes` or the configured limit. */
export async function readBytes(
  { request, services }: Context,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<Buffer> {
  const limit = Math.min(services.config.server.maxJsonBytes, maxBytes);
  try {
    const length = request.headers["content-length"] ?? null;
    return await getRawBody(request, { limit, length });
  } catch (error) {
    const type = error instanceof Error && "type" in error ? error.type : null;
    if (type === "entity.too.large") refuse("TOO_LARGE");
    // After the client has disconnected, even a complete body can no longer be read.
    if (type === "request.size.invalid" || request.destroyed) refuse("BAD_REQUEST");
    throw error;
  }
}

/** Whether a request with an optional body has one. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Refuses a compressed body (415). */
export function refuseEncoded({ headers }: IncomingMessage): void {
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    refuse("UNSUPPORTED_MEDIA_TYPE", { error: "Send the body without a Content-Encoding" });
  }
}

/** Refuses a partial body (400, `Content-Range`), which would be mistaken for the whole (RFC 9110 §14.5). */
export function refusePart({ headers }: IncomingMessage): void {
  if (headers["content-range"] !== undefined) {
    refuse("BAD_REQUEST", { error: "Send the whole body without a Content-Range" });
  }
}

function isJson({ method, headers }: IncomingMessage): boolean {
  const header = headers["content-type"];
  if (header === undefined || header === "application/json") return header !== undefined;
  const { type, parameters } = contentType.parse(header);
  // PATCH merges according to RFC 7396.
  const isMerge = method === "PATCH" && type === "application/merge-patch+json";
  // JSON between systems is UTF-8 (RFC 8259 §8.1).
  return (type === "application/json" || isMerge) && /^utf-8$/i.test(parameters.charset ?? "utf-8");
}

function parse(body: Buffer): unknown {
  const parsed = parseJson(decoded(body));
  switch (parsed.kind) {
    case "value":
      return parsed.value;
    case "deep":
      return refuse("BAD_REQUEST", {
        error: `The body is nested more than ${maxJsonLevels} levels deep`,
      });
    case "malformed":
      return refuseMalformed();
    default:
      return parsed satisfies never;
  }
}

function decoded(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    return refuseMalformed();
  }
}

function refuseMalformed(): never {
  return refuse("BAD_REQUEST", { error: "The body is not JSON" });
}
