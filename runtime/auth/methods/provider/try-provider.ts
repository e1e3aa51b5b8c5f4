import type { ProviderSettings } from "../../../config/index.js";
import { ask, isUnavailable } from "./protocol/ask.js";
import { apiOf } from "./protocol/github-api.js";
import type { Metadata, ProviderSource } from "./protocol/metadata.js";
import { openProtocol } from "./protocol/open.js";

/**
 * Requests a provider's metadata and keys, which every sign-in needs. Returns the reason if the provider is
 * unavailable, otherwise null.
 */
export async function tryProvider(
  provider: ProviderSettings,
  clock: ProviderSource["clock"],
): Promise<string | null> {
  const { askMetadata } = await openProtocol();
  const source = { provider, clock };
  try {
    const metadata = await askMetadata(source);
    if (provider.kind === "github") await ask(provider, `${apiOf(provider)}/user`);
    else await fetchKeys(source, metadata);
    return null;
  } catch (error) {
    if (isUnavailable(error)) return error.message;
    throw error;
  }
}

/** Fetches the keys by looking up one that does not exist. */
async function fetchKeys(source: ProviderSource, metadata: Metadata): Promise<void> {
  const { keysOf } = await openProtocol();
  try {
    await keysOf(source, metadata)({ alg: "RS256", kid: "none" }, { payload: "", signature: "" });
  } catch (error) {
    if (isUnavailable(error)) throw error;
  }
}
