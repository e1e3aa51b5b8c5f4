import { refuse } from "../../errors/index.js";
import type { Answer } from "../../http/index.js";
import type { Services } from "../../services/index.js";
import { lockAccount } from "../account/store.js";
import { hashToken } from "../token/token.js";
import type { MailedPurpose } from "./purposes.js";
import { findLinkAddress, spendLink } from "./store.js";
import type { Use } from "./use-code.js";

/** A link's token that somebody sent. */
interface SentLink {
  readonly purpose: MailedPurpose;
  readonly token: string;
}

/** The address that a link was mailed to; refuses a link that does not work, and spends none. */
export async function addressOfLink(
  { db, clock }: Services,
  { purpose, token }: SentLink,
): Promise<string> {
  const link = { purpose, tokenHash: hashToken(token), now: clock.now() };
  return (await findLinkAddress(db, link)) ?? refuse("INVALID_TOKEN");
}

/**
 * Spends a mailed link on what it is good for: both are done, or neither. Refuses one that is wrong,
 * used, replaced or expired, or whose account is gone or disabled, all alike.
 */
export async function useLink(services: Services, sent: SentLink, use: Use): Promise<Answer> {
  const { purpose, token } = sent;
  const email = await addressOfLink(services, sent);
  const link = { purpose, tokenHash: hashToken(token), now: services.clock.now() };
  const answer = await services.db.transaction(async (tx) => {
    const account = await lockAccount(tx, { email });
    const spent = await spendLink(tx, link);
    return spent && account !== null && !account.disabled ? use(tx, account) : null;
  });
  return answer ?? refuse("INVALID_TOKEN");
}
