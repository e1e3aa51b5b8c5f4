import { allowInsecureRequests, customFetch, discovery, type ServerMetadata } from "openid-client";
import { z } from "zod";
import type { ProviderSettings } from "../../../../config/index.js";
import type { Services } from "../../../../own-code/index.js";
import { ask, isLocal, isTrustworthy, ProviderUnavailable } from "./ask.js";
import { metadataAddress, metadataIssues } from "./microsoft.js";

/** A provider, and what asking it depends on. */
export interface Asked extends Pick<Services, "clock"> {
  readonly provider: ProviderSettings;
}

/** What a provider says about itself. */
export type Metadata = ServerMetadata & {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  /** GitHub has none: it signs nothing. */
  readonly jwks_uri?: string;
};

/** While somebody is at the provider, its metadata need not be asked for again. */
const keptMilliseconds = 10 * 60_000;

interface Kept {
  readonly metadata: Metadata;
  readonly at: number;
}

const kept = new WeakMap<ProviderSettings, Kept>();
const pending = new WeakMap<ProviderSettings, Promise<Metadata>>();

/** The metadata of a provider, asked for by one request for all who need it at once. */
export function askMetadata({ provider, clock }: Asked): Promise<Metadata> {
  const waiting = pending.get(provider);
  if (waiting !== undefined) return waiting;
  const asked = fetchMetadata(provider).then(
    (metadata) => {
      kept.set(provider, { metadata, at: clock.now().getTime() });
      pending.delete(provider);
      return metadata;
    },
    (error: unknown) => {
      kept.delete(provider);
      pending.delete(provider);
      throw error;
    },
  );
  pending.set(provider, asked);
  return asked;
}

/** The metadata that was asked for last, if that is not long ago. */
export async function recentMetadata(asked: Asked): Promise<Metadata> {
  const known = kept.get(asked.provider);
  const isRecent = known !== undefined && asked.clock.now().getTime() - known.at < keptMilliseconds;
  return isRecent ? known.metadata : askMetadata(asked);
}

async function fetchMetadata(provider: ProviderSettings): Promise<Metadata> {
  const { kind, issuer } = provider;
  if (kind === "github") {
    return {
      issuer,
      authorization_endpoint: `${issuer}/login/oauth/authorize`,
      token_endpoint: `${issuer}/login/oauth/access_token`,
    };
  }
  const found = await discover(provider);
  if (!isSound(issuer, found)) throw new ProviderUnavailable("has no sound metadata");
  const isIssuer =
    kind === "microsoft"
      ? metadataIssues(provider, found.issuer)
      : withoutSlash(found.issuer) === issuer;
  if (!isIssuer) throw new ProviderUnavailable("says that it is another issuer");
  return found;
}

async function discover(provider: ProviderSettings): Promise<ServerMetadata> {
  const { kind, issuer, clientId } = provider;
  const base = kind === "microsoft" ? metadataAddress(provider) : issuer;
  try {
    const found = await discovery(
      new URL(`${base}/.well-known/openid-configuration`),
      clientId,
      undefined,
      undefined,
      {
        [customFetch]: (url, options) => ask(provider, url, options),
        execute: isLocal(issuer) ? [allowInsecureRequests] : [],
      },
    );
    return found.serverMetadata();
  } catch (cause) {
    const known = cause instanceof Error ? cause.cause : null;
    if (known instanceof ProviderUnavailable) throw known;
    throw new ProviderUnavailable("has no metadata", { cause });
  }
}

/** Issuers of some providers end with a slash, and of the settings none does. */
function withoutSlash(issuer: string): string {
  return issuer.replace(/\/$/, "");
}

/** Whether metadata has all that is needed, at addresses that may be asked. */
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
