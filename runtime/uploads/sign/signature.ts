import { timingSafeEqual } from "node:crypto";
import { queryPairs } from "../../http/index.js";
import { acceptedKeys, currentKey, type Key, type Secrets } from "../../secret/index.js";
import { newHmac } from "./hmac.js";

/**
 * The expiry of URLs signed now, in seconds since 1970: at least the configured time away. It is constant for a tenth
 * of that time, so that browsers find a picture in their cache when a list is requested again.
 */
export function endOf(now: Date, privateSeconds: number): number {
  const step = Math.ceil(privateSeconds / 10);
  return Math.ceil((now.getTime() / 1000 + privateSeconds) / step) * step;
}

/** The query string that gives access to the object until this time. */
export function signedQuery(secrets: Secrets, key: string, until: number): string {
  return `?until=${until}&signature=${signed(currentKey(secrets, "files"), key, String(until))}`;
}

/** The query string of a URL, and the key of its object. */
interface SignedUrl {
  readonly key: string;
  readonly query: string;
}

/** The expiry of a URL's signature, in seconds since 1970; null if the signature is invalid or has expired. */
export function soundUntil(secrets: Secrets, { key, query }: SignedUrl, now: Date): number | null {
  const pairs = queryPairs(query);
  const until = only(pairs, "until");
  const signature = only(pairs, "signature");
  if (until === null || !/^[1-9]\d{0,11}$/.test(until)) return null;
  if (signature === null || !/^[A-Za-z0-9_-]{43}$/.test(signature)) return null;
  // Compared as text, since several texts decode to the same bytes.
  const sent = Buffer.from(signature);
  const isSound = acceptedKeys(secrets, "files").some((secret) =>
    timingSafeEqual(Buffer.from(signed(secret, key, until)), sent),
  );
  return isSound && Number(until) * 1000 > now.getTime() ? Number(until) : null;
}

/**
 * The 43 characters of the signature. A key has no line break, so that no two pairs of key and time are the same text.
 */
function signed(secret: Key, key: string, until: string): string {
  const hmac = hmacs.get(secret) ?? newHmac(secret.bytes);
  hmacs.set(secret, hmac);
  return hmac(`${key}\n${until}`);
}

const hmacs = new WeakMap<Key, (text: string) => string>();

/** The value of the parameter; null if it is missing, malformed or repeated. */
function only(pairs: ReturnType<typeof queryPairs>, name: string): string | null {
  const [first, ...others] = pairs.filter((pair) => pair.name === name);
  return first === undefined || others.length > 0 ? null : first.value;
}
