import { createHash } from "node:crypto";
import { refuse } from "../../errors/index.js";
import { type Context, clientKey } from "../../http/index.js";

/** A request that its client may repeat without writing twice. */
export interface KeyedRequest {
  readonly accountId: string;
  readonly key: string;
  /** A hash of the request's method, URL and body. */
  readonly digest: Buffer;
}

const keyPattern = /^[!-~]{1,255}$/;

/** Stands for callers without an account: no caller has this id. */
export const withoutToken = "";

/** The minimum length of a key without a token, so that clients with the same address do not choose the same key. */
const leastWithoutToken = 20;

/** Returns the request's `Idempotency-Key`; null if there is none. Throws 400 for a malformed one. */
export function idempotencyKeyOf({
  request,
  caller,
}: Pick<Context, "request" | "caller">): string | null {
  // Node.js joins repeated header lines with a comma and a space, which makes the key invalid.
  const key = request.headers["idempotency-key"];
  if (key === undefined) return null;
  if (typeof key === "string" && keyPattern.test(key)) {
    if (caller !== null || key.length >= leastWithoutToken) return key;
    return refuse("BAD_REQUEST", {
      error: `Without a token, the Idempotency-Key must have at least ${leastWithoutToken} characters`,
    });
  }
  return refuse("BAD_REQUEST", {
    error: "Idempotency-Key must have 1 to 255 visible ASCII characters",
  });
}

export function keyedRequest(
  { request, caller, services }: Context,
  key: string,
  body: Uint8Array,
): KeyedRequest {
  const { method = "", url = "" } = request;
  const digest = createHash("sha256").update(`${method} ${url}\n`).update(body).digest();
  if (caller !== null) return { accountId: caller.accountId, key, digest };
  // Without a token, a key belongs to one client: no other client gets its response.
  const client = clientKey(request, services.config);
  return { accountId: withoutToken, key: `${client} ${key}`, digest };
}
