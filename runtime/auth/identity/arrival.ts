import { v7 } from "uuid";
import type { Queryable } from "../../db/index.js";
import type { Services } from "../../own-code/index.js";
import { wouldEndOperators } from "../account/last-operator.js";
import { type Credentials, setRole } from "../account/store.js";
import { endViewsUnless } from "../account/views.js";
import { recordEvent } from "../event/record.js";
import { announce, type NoticeServices } from "../mailed/notice.js";
import { titleOf } from "./shown.js";
import { type Identity, insertIdentity, recordUse, type Subject } from "./store.js";

/** A sign-in with a provider and its changes to the account, which are applied after all proofs have been given. */
export interface Arrival {
  readonly provider: string;
  readonly profile: Subject & Pick<Identity, "email">;
  /** Whether the account already had the identity; if the identity has been removed since, it is not linked again. */
  readonly isKnown: boolean;
  /**
   * The role in the provider's claims; null removes the role. Omitted if the claim is missing, or if claims do not set
   * roles.
   */
  readonly role?: string | null;
}

/**
 * Applies an arrival: records the use of its identity, or links the identity. Sets the role, unless that would leave no
 * operator. Returns null if the identity, or the address that led to the account, no longer belongs to the account,
 * which must be locked. Runs in a `transactionOfOperators`.
 */
export async function receive(
  services: NoticeServices & Pick<Services, "log">,
  account: Credentials,
  arrival: Arrival,
): Promise<Credentials | null> {
  const use = { accountId: account.id, profile: arrival.profile, now: services.clock.now() };
  const isReceived =
    (await recordUse(services.db, use)) || (await link(services, account, arrival));
  if (!isReceived) return null;
  const { role } = arrival;
  if (role === undefined) return account;
  const { id } = account;
  if (await wouldEndOperators(services, account, { role })) {
    const { provider } = arrival;
    services.log.warn({ provider, accountId: id }, "the last enabled operator keeps its role");
    return account;
  }
  if (await setRole(services.db, { id, role, now: services.clock.now() })) {
    await endViewsUnless(services, account, { role });
    await recordEvent(services, { kind: "account-changed", accountId: id, by: id });
  }
  return { ...account, role };
}

async function link(
  services: NoticeServices,
  account: Credentials,
  { provider, profile, isKnown }: Arrival,
): Promise<boolean> {
  const { id, email } = account;
  if (isKnown || profile.email !== email) return false;
  if (!(await addIdentity(services, { accountId: id, provider, profile }))) return false;
  const title = titleOf(services.config, provider);
  await announce(services, account, { kind: "identity-added", provider: title, by: id });
  return true;
}

/**
 * Adds the identity of a sign-in; returns false if an account already has it, or if the account has another identity of
 * the provider.
 */
export async function addIdentity(
  { db: tx, clock }: Pick<NoticeServices, "clock"> & { readonly db: Queryable },
  {
    accountId,
    provider,
    profile,
  }: Pick<Identity, "accountId"> & Pick<Arrival, "provider" | "profile">,
): Promise<boolean> {
  const now = clock.now();
  const id = v7({ msecs: now.getTime() });
  return (
    (await insertIdentity(tx, { id, accountId, provider, profile, isUsed: true, now })) !== null
  );
}

/** Logs why a sign-in or link was refused; the reason contains no personal data. */
export function logRefused(
  { log }: Pick<Services, "log">,
  refused: { readonly provider: string; readonly reason: string },
): void {
  log.warn(refused, "a sign-in with a provider was refused");
}
