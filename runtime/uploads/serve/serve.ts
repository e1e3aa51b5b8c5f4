import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { refuse } from "../../errors/index.js";
import type { Answer, Context } from "../../http/index.js";
import { objectHeaders } from "../objects/headers.js";
import type { UploadServices } from "../objects/services.js";
import { usingStorage } from "../storage/available.js";
import { isKey } from "../storage/key.js";
import type { ByteRange } from "../storage/storage.js";
import { rangeOf } from "./range.js";
import { findObject } from "./store.js";

/** Nothing in a file may run, whatever it is. */
const sandbox = "default-src 'none'; sandbox";

/** `GET /_service/files/<key>`: the file, a range of it, or 304. */
export async function serveFile(
  { request, params }: Context,
  services: UploadServices,
): Promise<Answer> {
  const key = [params.resource, params.field, params.year, params.month, params.file].join("/");
  const object = isKey(key) ? await findObject(services.db, key) : null;
  if (object === null) return refuse("NOT_FOUND");
  const { size, file } = object;
  const { contentType, contentDisposition, cacheControl } = objectHeaders(file);
  const etag = tagOf(key);
  const cached = { etag, "cache-control": cacheControl, "content-security-policy": sandbox };
  if (hasTag(request.headers["if-none-match"], etag)) {
    return { status: 304, json: null, headers: cached };
  }
  const headers = {
    ...cached,
    "accept-ranges": "bytes",
    "content-type": contentType,
    "content-disposition": contentDisposition,
  };
  const whole = {
    status: 200,
    json: null,
    headers: { ...headers, "content-length": String(size) },
  };
  const range = wantedRange(request, size, etag);
  const stream = await usingStorage(services, () => services.storage.read(key, range ?? undefined));
  if (stream === null) {
    services.log.warn({ key }, "a stored file is missing");
    return refuse("NOT_FOUND");
  }
  if (request.method === "HEAD") {
    stream.destroy();
    return whole;
  }
  if (range === null) return { ...whole, stream };
  const { start, end } = range;
  return {
    status: 206,
    json: null,
    stream,
    headers: {
      ...headers,
      "content-range": `bytes ${start}-${end}/${size}`,
      "content-length": String(end - start + 1),
    },
  };
}

/** An object's tag depends on its key alone, because it never changes. */
function tagOf(key: string): string {
  return `"${createHash("sha256").update(key).digest("base64url").slice(0, 22)}"`;
}

/** `If-None-Match`, compared as RFC 9110 §13.1.2 says. */
function hasTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}

/** The range that a request asks for, if it may have one. */
function wantedRange(
  { method, headers }: IncomingMessage,
  size: number,
  etag: string,
): ByteRange | null {
  // A range has no meaning for HEAD (RFC 9110 §14.2), and none of a file that changed (§13.1.5).
  const ifRange = headers["if-range"];
  if (method === "HEAD" || (ifRange !== undefined && ifRange !== etag)) return null;
  return rangeOf(headers.range, size);
}
