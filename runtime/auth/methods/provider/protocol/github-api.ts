import type { ProviderSettings } from "../../../../config/index.js";

/** Where the API of GitHub, or of a GitHub Enterprise Server, is. */
export function apiOf({ issuer }: Pick<ProviderSettings, "issuer">): string {
  return issuer === "https://github.com" ? "https://api.github.com" : `${issuer}/api/v3`;
}
