import { reasonOf } from "../../errors/index.js";
import type { Bucket } from "./s3-client.js";
import { StorageError } from "./storage.js";

/**
 * Describes why the bucket refuses a request, as an error for the operator. Reports only the error name and the status
 * of the response: its message may contain the request and the access key.
 */
export function s3Failure({ bucket, endpoint }: Bucket, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const place = endpoint === null ? `bucket ${bucket}` : `bucket ${bucket} at ${endpoint}`;
  const details = { hint: hintFor(bucket, error), isFull: statusOf(error) === 507 };
  return new StorageError(`${place}: ${sentenceFor(error)}`, details);
}

/** The name of an error from the server or the library. */
export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "";
}

/** The status of the response; null if there was none. */
export function statusOf(error: unknown): number | null {
  if (!(error instanceof Error && "$metadata" in error)) return null;
  const metadata: { readonly httpStatusCode?: unknown } = Object(error.$metadata);
  return typeof metadata.httpStatusCode === "number" ? metadata.httpStatusCode : null;
}

/** Whether the access key lacks permission, or the server does not support the operation. */
export function isForbidden(error: unknown): boolean {
  return [403, 405, 501].includes(statusOf(error) ?? 0);
}

/** Whether there is no object with the key; a missing bucket is a different failure. */
export function isGone(error: unknown): boolean {
  return statusOf(error) === 404 && nameOf(error) !== "NoSuchBucket";
}

const sentences: Readonly<Record<string, string>> = {
  NoSuchBucket: "there is no such bucket",
  AccessDenied: "the access key lacks the permission for this operation",
  InvalidAccessKeyId: "the access key does not exist there",
  SignatureDoesNotMatch: "the access key or its secret is wrong",
  ExpiredToken: "the access key has expired",
  CredentialsProviderError: "no access key is set, and the machine has no identity",
  AuthorizationHeaderMalformed: "the bucket is in another region",
  PermanentRedirect: "the bucket is in another region",
  RequestTimeTooSkewed: "the clocks of this machine and of the server differ",
  TimeoutError: "there was no response in time",
};

/** A specific hint for the error; null if the general one suffices. */
function hintFor(bucket: string, error: unknown): string | null {
  return nameOf(error) === "NoSuchBucket"
    ? `create the bucket ${bucket}, or correct uploads.storage.bucket in service.yaml`
    : (hints[nameOf(error)] ?? null);
}

const hints: Readonly<Record<string, string>> = {
  AuthorizationHeaderMalformed: otherRegion(),
  PermanentRedirect: otherRegion(),
  RequestTimeTooSkewed: "set this machine's clock",
};

function otherRegion(): string {
  return "set uploads.storage.region in service.yaml to the bucket's region";
}

function sentenceFor(error: unknown): string {
  const name = nameOf(error);
  const sentence = sentences[name];
  const status = statusOf(error);
  if (sentence !== undefined) return status === null ? sentence : `${sentence} (${name})`;
  if (status !== null) return `it returned ${name} (HTTP ${status})`;
  const code = codeOf(error);
  if (code !== null) return `it cannot be reached (${code})`;
  return reasonOf(error);
}

/** The system's code of a failed connection. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error && "code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}
