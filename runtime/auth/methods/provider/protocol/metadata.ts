import { allowInsecureRequests, customFetch, discovery, type ServerMetadata } from "openid-client";
import { z } from "zod";
import type { ProviderSettings } from "../../../../config/index.js";
import type { Services } from "../../../../own-code/index.js";
import {
  askWhole,
  isLocal,
  isTrustworthy,
  ProviderUnavailable,
  responseOf,
  type WholeAnswer,
} from "./ask.js";
import { metadataAddress, metadataIssues } from "./microsoft.js";

export interface ProviderSource extends Pick<Services, "clock"> {
  readonly provider: ProviderSettings;
}

export type Metadata = ServerMetadata & {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  /** Missing for GitHub, which signs no tokens. */
  readonly jwks_uri?: string;
};

/** Milliseconds for which metadata is cached, for example during a sign-in at the provider. */
const keptMilliseconds = 10 * 60_000;

/** Checked metadata, and the response that contained it; GitHub has none. */
interface Judged {
  readonly metadata: Metadata;
  readonly answer: WholeAnswer | null;
}

interface Kept extends Judged {
  readonly at: number;
}

const kept = new WeakMap<ProviderSettings, Kept>();
const pending = new WeakMap<ProviderSettings, Promise<Metadata>>();

/** Requests the metadata of a provider; concurrent callers share one request. */
export function askMetadata({ provider, clock }: ProviderSource): Promise<Metadata> {
  const waiting = pending.get(provider);
  if (waiting !== undefined) return waiting;
  const fetched = fetchMetadata(provider).then(
    (judged) => {
      kept.set(provider, { ...judged, at: clock.now().getTime() });
      pending.delete(provider);
      return judged.metadata;
    },
    (error: unknown) => {
      kept.delete(provider);
      pending.delete(provider);
      throw error;
    },
  );
  pending.set(provider, fetched);
  return fetched;
}

/** Returns the cached metadata if it is recent; otherwise requests it. */
export async function recentMetadata(source: ProviderSource): Promise<Metadata> {
  const known = kept.get(source.provider);
  const isRecent =
    known !== undefined && source.clock.now().getTime() - known.at < keptMilliseconds;
  return isRecent ? known.metadata : askMetadata(source);
}

async function fetchMetadata(provider: ProviderSettings): Promise<Judged> {
  const { kind, issuer } = provider;
  if (kind === "github") {
    const metadata = {
      issuer,
      authorization_endpoint: `${issuer}/login/oauth/authorize`,
      token_endpoint: `${issuer}/login/oauth/access_token`,
    };
    return { metadata, answer: null };
  }
  const base = kind === "microsoft" ? metadataAddress(provider) : issuer;
  const url = `${base}/.well-known/openid-configuration`;
  const answer = await askWhole(provider, url, { headers: { accept: "application/json" } });
  const known = kept.get(provider);
  // Identical responses need no second check.
  if (known !== undefined && isSame(known.answer, answer)) return known;
  const found = await discover(provider, url, answer);
  if (!isSound(issuer, found)) throw new ProviderUnavailable("has invalid metadata");
  const isIssuer =
    kind === "microsoft"
      ? metadataIssues(provider, found.issuer)
      : withoutSlash(found.issuer) === issuer;
  if (!isIssuer) throw new ProviderUnavailable("names another issuer");
  return { metadata: found, answer };
}

function isSame(known: WholeAnswer | null, { status, bytes }: WholeAnswer): boolean {
  return known?.status === status && Buffer.compare(known.bytes, bytes) === 0;
}

async function discover(
  { issuer, clientId }: ProviderSettings,
  url: string,
  answer: WholeAnswer,
): Promise<ServerMetadata> {
  try {
    const found = await discovery(new URL(url), clientId, undefined, undefined, {
      [customFetch]: async () => responseOf(answer),
      execute: isLocal(issuer) ? [allowInsecureRequests] : [],
    });
    return found.serverMetadata();
  } catch (cause) {
    throw new ProviderUnavailable("has no metadata", { cause });
  }
}

/** Issuers of some providers end with a slash; those in the settings never do. */
function withoutSlash(issuer: string): string {
  return issuer.replace(/\/$/, "");
}

/** Whether metadata is complete, with addresses that may be requested. */
function isSound(issuer: string, found: ServerMetadata): found is Metadata {
  const parsed = shape.safeParse(found);
  if (!parsed.success) return false;
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint } = parsed.data;
  return [
    authorization_endpoint,
    token_endpoint,
    jwks_uri,
    userinfo_endpoint ?? token_endpoint,
  ].every((address) => isTrustworthy(issuer, address));
}

const shape = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  userinfo_endpoint: z.string().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});
