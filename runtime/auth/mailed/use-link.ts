import { refuse } from "../../errors/index.js";
import type { Answer } from "../../http/index.js";
import type { Services } from "../../own-code/index.js";
import { lockAccount } from "../account/store.js";
import { hashToken } from "../token/token.js";
import type { MailedPurpose } from "./purposes.js";
import { findLinkAddress, spendLink } from "./store.js";
import type { Use } from "./use-code.js";

/** A link's token, as submitted, and the purposes that the link may have. */
interface TokenInput {
  readonly purposes: readonly MailedPurpose[];
  readonly token: string;
}

/** The address that a link was mailed to. Refuses a link that does not work, and spends none. */
export async function findAddressOfLink(
  { db, clock }: Services,
  { purposes, token }: TokenInput,
): Promise<string> {
  const link = { purposes, tokenHash: hashToken(token), now: clock.now() };
  return (await findLinkAddress(db, link)) ?? refuse("INVALID_TOKEN");
}

/**
 * Spends a mailed link and applies its effect, in one transaction. Refuses a link that is wrong, used, replaced
 * or expired, or whose account is deleted or disabled, all with the same answer.
 */
export async function useLink(services: Services, sent: TokenInput, use: Use): Promise<Answer> {
  const { purposes, token } = sent;
  const email = await findAddressOfLink(services, sent);
  const link = { purposes, tokenHash: hashToken(token), now: services.clock.now() };
  const answer = await services.db.transaction(async (tx) => {
    const account = await lockAccount(tx, { email });
    const spent = await spendLink(tx, link);
    return spent && account !== null && !account.disabled ? use(tx, account) : null;
  });
  return answer ?? refuse("INVALID_TOKEN");
}
