import { createHash } from "node:crypto";
import { refuse } from "../../errors/index.js";
import type { Context } from "../../http/index.js";

/** A request that its client may repeat without writing twice. */
export interface KeyedRequest {
  readonly accountId: string;
  readonly key: string;
  /** A hash of its method, address and body. */
  readonly digest: Buffer;
}

const keyPattern = /^[!-~]{1,255}$/;

/** The request's `Idempotency-Key`; null without one. Refuses a malformed one (400). */
export function idempotencyKeyOf({ request }: Pick<Context, "request">): string | null {
  // Node joins repeated header lines with a comma and a space, which makes an invalid key.
  const key = request.headers["idempotency-key"];
  if (key === undefined) return null;
  if (typeof key === "string" && keyPattern.test(key)) return key;
  return refuse("BAD_REQUEST", {
    error: "Idempotency-Key must have 1 to 255 visible ASCII characters",
  });
}

export function keyedRequest(
  { request, caller }: Context,
  key: string,
  body: Uint8Array,
): KeyedRequest {
  const { method = "", url = "" } = request;
  const digest = createHash("sha256").update(`${method} ${url}\n`).update(body).digest();
  // The routes of resources need a token.
  return { accountId: caller?.accountId ?? "", key, digest };
}
