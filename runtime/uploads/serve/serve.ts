import type { IncomingMessage } from "node:http";
import { refuse } from "../../errors/index.js";
import {
  type Answer,
  type Context,
  isTagKnown,
  queryPairs,
  withoutLastSlash,
} from "../../http/index.js";
import { contentTag } from "../../values/api/content-tag.js";
import { objectHeaders } from "../objects/headers.js";
import { placeOf } from "../objects/place.js";
import { readObject } from "../objects/read.js";
import type { UploadServices } from "../objects/services.js";
import { usingStorage } from "../storage/available.js";
import { isKey } from "../storage/key.js";
import type { ByteRange } from "../storage/storage.js";
import { type FileAccess, fileAccess } from "./access.js";
import { rangeOf } from "./range.js";
import { findObject, type ServedObject } from "./store.js";

/** A Content-Security-Policy that prevents anything in a file from running. */
const sandbox = "default-src 'none'; sandbox";

/** `GET /_service/files/<key>`: the file, a range of it, or 304. */
export async function serveFile(context: Context, services: UploadServices): Promise<Answer> {
  const { request, params, query } = context;
  const key = [params.resource, params.field, params.year, params.month, params.file].join("/");
  const object = isKey(key) && !hasLastSlash(request) ? await findObject(services.db, key) : null;
  if (object === null) return refuse("NOT_FOUND");
  const { size, file } = object;
  const access = await fileAccess(context, services, object);
  const { cacheControl } = access;
  const { contentType, contentDisposition } = objectHeaders(file, {
    isPrivate: access.seconds !== null,
    isAttachment: services.privateFiles.isAttachment(object),
  });
  const common = { "cache-control": cacheControl, "content-security-policy": sandbox };
  const address = await addressInBucket(services, { object, access, request, query });
  if (address !== null) {
    // The redirect has no ETag, and ignores those from the client, because the bucket's differ.
    return { status: 302, json: null, headers: { ...common, location: address } };
  }
  // The tag depends only on the key, because an object never changes.
  const etag = contentTag(key);
  const cached = { ...common, etag };
  if (isTagKnown(request.headers["if-none-match"], etag)) {
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
  const stream = await usingStorage(services, () => readObject(services, object, range));
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

interface Wanted {
  readonly object: ServedObject;
  readonly access: FileAccess;
  readonly request: IncomingMessage;
  readonly query: string;
}

/** The bucket's URL of a private file; null if this server must send the file. */
async function addressInBucket(
  services: UploadServices,
  { object, access, request, query }: Wanted,
): Promise<string | null> {
  const { seconds, cacheControl } = access;
  if (seconds === null || !services.config.uploads.privateRedirect) return null;
  // The file has yet to be moved to the private location, so that its current URL would soon stop working.
  if (!object.isPrivate) return null;
  // For pages whose policy allows only same-origin pictures, such as the dashboard's.
  if (queryPairs(query).some(({ name, value }) => name === "redirect" && value === "false")) {
    return null;
  }
  const method = request.method === "HEAD" ? "HEAD" : "GET";
  const { storage } = services;
  return usingStorage(services, () =>
    storage.addressOf(placeOf(storage, object), { method, seconds, cacheControl }),
  );
}

/** The requested range, if the request's conditions allow one. */
function wantedRange(
  { method, headers }: IncomingMessage,
  size: number,
  etag: string,
): ByteRange | null {
  // A range has no meaning for HEAD (RFC 9110 §14.2), and does not apply to a file that has changed (§13.1.5).
  const ifRange = headers["if-range"];
  if (method === "HEAD" || (ifRange !== undefined && ifRange !== etag)) return null;
  return rangeOf(headers.range, size);
}

/** Whether the path ends in a slash. Other paths may, but a key with a slash is a different key. */
function hasLastSlash({ url = "" }: Context["request"]): boolean {
  const [path = ""] = url.split("?", 1);
  return withoutLastSlash(path) !== path;
}
