import { findRemovedProviders, tryProvider } from "../../auth/index.js";
import { systemClock } from "../../clock/index.js";
import type { Config } from "../../config/index.js";
import { withConnection } from "../app/connection.js";
import { count, type Finding } from "../report.js";
import { ok, problem, warning } from "./finding.js";

/** Checks whether each provider responds; all are requested concurrently. */
export function checkProviders({ auth }: Config): Promise<readonly Finding[]> {
  return Promise.all(
    auth.providers.map(async (provider): Promise<Finding> => {
      const { name, issuer } = provider;
      const check = `provider ${name}`;
      const reason = await tryProvider(provider, systemClock);
      return reason === null
        ? ok(check, issuer)
        : problem(check, `${issuer} ${reason}`, `check auth.providers.${name} and the network`);
    }),
  );
}

/** Finds accounts whose only provider was removed from the configuration. */
export async function checkIdentities(config: Config): Promise<readonly Finding[]> {
  const gone = await withConnection(config, (db) => findRemovedProviders(db, config));
  return gone.map(({ provider, count: accounts, emails }) => {
    const named = emails.join(", ") + (accounts > emails.length ? ", …" : "");
    return warning(
      "identities",
      `${count(accounts, "account")} can sign in only with ${provider}, which is not configured: ${named}`,
      `add auth.providers.${provider} again, or let them sign in by a mailed link, code or reset`,
    );
  });
}
