import type { Config } from "../../config/index.js";
import type { Identity } from "./store.js";

/** An identity as its owner sees it. */
export interface ShownIdentity extends Omit<Identity, "accountId"> {
  /** The provider's display name; the stored `provider` if it is no longer configured. */
  readonly title: string;
}

export function shown(
  { auth }: Pick<Config, "auth">,
  { id, provider, email, createdAt, lastUsedAt }: Identity,
): ShownIdentity {
  return { id, provider, title: titleOf({ auth }, provider), email, createdAt, lastUsedAt };
}

/** The display name of a provider; `provider` itself if it is no longer configured. */
export function titleOf({ auth }: Pick<Config, "auth">, provider: string): string {
  return auth.providers.find(({ name }) => name === provider)?.title ?? provider;
}
