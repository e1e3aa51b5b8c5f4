import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import { z } from "zod";
import type { ProviderSettings } from "../../../../config/index.js";
import { ask, ProviderUnavailable } from "./ask.js";
import type { Metadata, ProviderSource } from "./metadata.js";

/**
 * Milliseconds for which keys are cached, and therefore the maximum time for which a withdrawn key is still accepted.
 */
const keptMilliseconds = 10 * 60_000;
/**
 * Minimum interval in milliseconds between fetches for unknown keys, since anyone can put an unknown key id in a token.
 */
const refreshMilliseconds = 60_000;

interface Kept {
  readonly keys: JWTVerifyGetKey;
  readonly at: number;
  /** The time of the last fetch for an unknown key. */
  readonly refreshedAt: number;
}

const kept = new WeakMap<ProviderSettings, Kept>();
const pending = new WeakMap<ProviderSettings, Promise<JWTVerifyGetKey>>();

/**
 * Returns a function that finds a token's key among the provider's; it throws one of jose's errors if the key is
 * missing.
 */
export function keysOf(source: ProviderSource, metadata: Metadata): JWTVerifyGetKey {
  return async (header, token) => {
    const keys = await recentKeys(source, metadata);
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !mayRefresh(source)) throw error;
      return (await fetchKeys(source, metadata, "refresh"))(header, token);
    }
  };
}

async function recentKeys(source: ProviderSource, metadata: Metadata): Promise<JWTVerifyGetKey> {
  const known = kept.get(source.provider);
  const isRecent = known !== undefined && now(source) - known.at < keptMilliseconds;
  return isRecent ? known.keys : fetchKeys(source, metadata, "first");
}

function mayRefresh(source: ProviderSource): boolean {
  const last = kept.get(source.provider)?.refreshedAt ?? 0;
  return now(source) - last >= refreshMilliseconds;
}

/** Fetches the keys; concurrent callers share one request. */
function fetchKeys(
  source: ProviderSource,
  metadata: Metadata,
  why: "first" | "refresh",
): Promise<JWTVerifyGetKey> {
  const { provider } = source;
  const waiting = pending.get(provider);
  if (waiting !== undefined) return waiting;
  const last = kept.get(provider);
  const at = now(source);
  const refreshedAt = why === "refresh" ? at : (last?.refreshedAt ?? 0);
  // Set before the response arrives, so that a failing provider is requested no more often than a working one.
  if (last !== undefined) kept.set(provider, { ...last, refreshedAt });
  const fetched = askKeys(provider, metadata)
    .then((keys) => {
      kept.set(provider, { keys, at, refreshedAt });
      return keys;
    })
    .finally(() => pending.delete(provider));
  pending.set(provider, fetched);
  return fetched;
}

async function askKeys(
  provider: ProviderSettings,
  { jwks_uri: address = "" }: Metadata,
): Promise<JWTVerifyGetKey> {
  const response = await ask(provider, address, { headers: { accept: "application/json" } });
  if (response.status !== 200) throw new ProviderUnavailable(`has no keys (${response.status})`);
  const text = await response.text();
  const parsed = keySet.safeParse(text);
  if (!parsed.success) throw new ProviderUnavailable("has no keys");
  return createLocalJWKSet(parsed.data);
}

const keySet = z.string().transform((text, { addIssue }): JSONWebKeySet => {
  try {
    return shape.parse(JSON.parse(text)) as JSONWebKeySet;
  } catch {
    addIssue({ code: "custom", message: "Must be a set of keys" });
    return z.NEVER;
  }
});

const shape = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(1000) });

function now({ clock }: ProviderSource): number {
  return clock.now().getTime();
}
