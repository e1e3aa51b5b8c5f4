import { refuse } from "../../errors/index.js";
import type { Answer } from "../../http/index.js";
import type { Services } from "../../own-code/index.js";
import { lockAccount } from "../account/store.js";
import { hashToken } from "../token/token.js";
import type { MailedPurpose } from "./purposes.js";
import { findLinkAddress, spendLink } from "./store.js";
import type { Registering, Use } from "./use-code.js";

interface TokenInput {
  readonly purposes: readonly MailedPurpose[];
  readonly token: string;
  /** If omitted, a link for an address without an account is refused. */
  readonly register?: Registering | undefined;
}

/** Returns the address that a link was mailed to, without spending the link. Refuses an invalid link. */
export async function findAddressOfLink(
  { db, clock }: Services,
  { purposes, token }: TokenInput,
): Promise<string> {
  const link = { purposes, tokenHash: hashToken(token), now: clock.now() };
  return (await findLinkAddress(db, link)) ?? refuse("INVALID_TOKEN");
}

/**
 * Spends an emailed link and applies its effect, in one transaction. Refuses a link that is wrong, used, replaced or
 * expired, or whose account is deleted or disabled, all with the same response.
 */
export async function useLink(services: Services, sent: TokenInput, use: Use): Promise<Answer> {
  const { purposes, token, register } = sent;
  const email = await findAddressOfLink(services, sent);
  const link = { purposes, tokenHash: hashToken(token), now: services.clock.now() };
  const answer = await services.db.transaction(async (tx) => {
    const found = await lockAccount(tx, { email });
    if (!(await spendLink(tx, link))) return null;
    const account = found ?? (await register?.(tx, email)) ?? null;
    return account === null || account.disabled ? null : use(tx, account);
  });
  return answer ?? refuse("INVALID_TOKEN");
}
