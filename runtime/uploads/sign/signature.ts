import { createHmac, type Hmac, timingSafeEqual } from "node:crypto";
import { queryPairs } from "../../http/index.js";
import { acceptedKeys, currentKey, type Secrets } from "../../secret/index.js";

/**
 * When addresses that are signed now end, in seconds since 1970: after the configured time at the earliest. For a tenth of
 * that time it is the same, so that browsers find a picture in their cache when a list is read again.
 */
export function endOf(now: Date, privateSeconds: number): number {
  const step = Math.ceil(privateSeconds / 10);
  return Math.ceil((now.getTime() / 1000 + privateSeconds) / step) * step;
}

/** The query that gives access to the object of that key until then. */
export function signedQuery(secrets: Secrets, key: string, until: number): string {
  const signature = hmacOf(currentKey(secrets, "files").bytes, key, String(until));
  return `?until=${until}&signature=${signature.digest("base64url")}`;
}

/** When the query's signature of that key ends, in seconds since 1970; null where it is not sound, or has ended. */
export function soundUntil(secrets: Secrets, key: string, query: string, now: Date): number | null {
  const pairs = queryPairs(query);
  const until = only(pairs, "until");
  const signature = only(pairs, "signature");
  if (until === null || !/^[1-9]\d{0,11}$/.test(until)) return null;
  if (signature === null || !/^[A-Za-z0-9_-]{43}$/.test(signature)) return null;
  const sent = Buffer.from(signature, "base64url");
  // Several texts decode to the same bytes: only the one that was made is a signature.
  if (sent.toString("base64url") !== signature) return null;
  const isSound = acceptedKeys(secrets, "files").some(({ bytes }) =>
    timingSafeEqual(hmacOf(bytes, key, until).digest(), sent),
  );
  return isSound && Number(until) * 1000 > now.getTime() ? Number(until) : null;
}

/** A key has no line break, so that no two pairs of key and time are the same text. */
function hmacOf(secret: Buffer, key: string, until: string): Hmac {
  return createHmac("sha256", secret).update(`${key}\n${until}`);
}

/** The value of the parameter; null where it is missing, malformed or sent more than once. */
function only(pairs: ReturnType<typeof queryPairs>, name: string): string | null {
  const [first, ...others] = pairs.filter((pair) => pair.name === name);
  return first === undefined || others.length > 0 ? null : first.value;
}
