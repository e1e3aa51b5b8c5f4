import type { IncomingMessage } from "node:http";
import { refuse } from "../../errors/index.js";
import { refuseEncoded, refusePart } from "../../http/index.js";
import { checkName, refuseName } from "../receive/name.js";
import { tusVersion } from "./version.js";

// Headers of tus 1.0.0 (https://tus.io/protocols/resumable-upload).

/** 412 for another version of the protocol. */
export function refuseOtherVersion(request: IncomingMessage): void {
  if (request.headers["tus-resumable"] !== undefined) requireVersion(request);
}

/** 412 for another version of the protocol, or none. */
export function requireVersion({ headers }: IncomingMessage): void {
  if (headers["tus-resumable"] === tusVersion) return;
  refuse("TUS_VERSION", { headers: { "tus-version": tusVersion } });
}

/** Whether the request has a body with bytes of the file; 415 for another type, 400 for a partial body. */
export function bringsBytes(request: IncomingMessage): boolean {
  const { headers } = request;
  refuseEncoded(request);
  refusePart(request);
  const type = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/offset+octet-stream") return true;
  const isEmpty = headers["transfer-encoding"] === undefined && announcedBytes(request) === 0;
  if (isEmpty && request.method !== "PATCH") return false;
  return refuse("UNSUPPORTED_MEDIA_TYPE", {
    error: "Send the content type application/offset+octet-stream",
  });
}

/** The value of `Content-Length`; 0 if it is missing. */
export function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers["content-length"] ?? 0);
}

/** The number in `Upload-Length` or `Upload-Offset`; 400 if it is missing or malformed. */
export function numberIn(
  { headers }: IncomingMessage,
  name: "Upload-Length" | "Upload-Offset",
): number {
  const text = headers[name.toLowerCase()];
  if (typeof text === "string" && /^\d{1,15}$/.test(text)) return Number(text);
  return refuse("BAD_REQUEST", { error: `${name} must be a whole number of bytes` });
}

/** 400 for creation methods that this server does not support. */
export function refuseOtherCreation({ headers }: IncomingMessage): void {
  if (headers["upload-defer-length"] !== undefined) {
    refuse("BAD_REQUEST", { error: "Send Upload-Length: it cannot be deferred" });
  }
  if (headers["upload-concat"] !== undefined) {
    refuse("BAD_REQUEST", { error: "Upload-Concat is not supported" });
  }
}

/** The contents of `Upload-Metadata` for a new upload. */
export interface Metadata {
  readonly text: string;
  /** The type; null if it is missing. */
  readonly contentType: string | null;
  /** The name; 422 if it is missing or invalid. */
  name(): string;
}

/** Reads the metadata of an upload; 400 if it is malformed. */
export function readMetadata({ headers }: IncomingMessage): Metadata {
  const text = String(headers["upload-metadata"] ?? "");
  const values = new Map<string, Buffer>();
  for (const pair of text.trim() === "" ? [] : text.split(",")) {
    const [, key, encoded = ""] =
      /^\s*([!-+\--~]+)(?: +([A-Za-z0-9+/]*={0,2}))?\s*$/.exec(pair) ?? [];
    if (key === undefined || values.has(key) || encoded.replace(/=+$/, "").length % 4 === 1) {
      return refuse("BAD_REQUEST", {
        error: "Upload-Metadata must be pairs of a key and a value in base64, separated by commas",
      });
    }
    values.set(key, Buffer.from(encoded, "base64"));
  }
  const type = (values.get("type") ?? values.get("filetype"))?.toString("latin1").trim();
  return {
    text,
    contentType: type || null,
    name() {
      const name = values.get("name") ?? values.get("filename");
      if (name === undefined) return refuseName("A value is required");
      return checkName(decoded(name));
    },
  };
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return refuseName("Must be UTF-8");
  }
}

/** `Upload-Expires` */
export function expiryHeader(expiresAt: Date): Readonly<Record<string, string>> {
  return { "upload-expires": expiresAt.toUTCString() };
}
