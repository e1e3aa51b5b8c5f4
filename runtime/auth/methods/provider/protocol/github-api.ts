import type { ProviderSettings } from "../../../../config/index.js";

/** The base URL of the API of GitHub, or of a GitHub Enterprise Server. */
export function apiOf({ issuer }: Pick<ProviderSettings, "issuer">): string {
  return issuer === "https://github.com" ? "https://api.github.com" : `${issuer}/api/v3`;
}
