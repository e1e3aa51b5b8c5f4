import type { ProviderSettings } from "../../../config/index.js";
import type { Answer } from "../../../http/index.js";
import { addVerified } from "../../account/add-verified.js";
import { type Credentials, lockAccount } from "../../account/store.js";
import { recordEvent } from "../../event/record.js";
import { type Arrival, addIdentity, receive } from "../../identity/arrival.js";
import { findIdentity, hasIdentityOf } from "../../identity/store.js";
import type { NoticeServices } from "../../mailed/notice.js";
import { assess, type FirstProof } from "../../session/assurance.js";
import { verified } from "../../session/by-mail/sign-in.js";
import type { Device } from "../../session/device.js";
import { prove, type SessionServices } from "../../session/prove.js";
import type { Profile } from "./protocol/profile.js";
import { judgeIdentity, type Refused, refusedAddress } from "./rules.js";

type Inside = SessionServices & NoticeServices;

export interface Identified {
  readonly provider: ProviderSettings;
  readonly profile: Profile;
  readonly device: Device;
}

/** The locked account for an identified person, and the step to take once all proofs are given. */
interface Found {
  readonly account: Credentials;
  readonly step: "use" | "link" | "adopt";
}

/**
 * Signs a person in to the account of their identity; an unknown identity is first linked to an account, which may be
 * new. If a second step is required, nothing changes before it is passed.
 */
export async function signInAs(
  services: Inside,
  identified: Identified,
): Promise<Answer | Refused> {
  const { provider, profile, device } = identified;
  if (provider.roles?.required === true && profile.role === undefined) {
    return { refused: "roles claim missing" };
  }
  const found =
    (await knownAccount(services, profile)) ?? (await unknownAccount(services, identified));
  if ("refused" in found) return found;
  const { account, step } = found;
  const isKnown = step === "use";
  const arrival = {
    provider: provider.name,
    profile: subjectOf(profile),
    isKnown,
    ...roleOf(identified),
  };
  const proof = proofOf(found, identified);
  const evidence = { proofs: [proof], device, arrival } as const;
  const settings = services.config.auth.twoFactor;
  const { kind } = assess({ proofs: [proof], enrolled: account.enrolled, settings });
  if (kind === "second-step") return proved(services, account, evidence);
  const proven =
    step === "adopt" ? await adopted(services, account, { provider, arrival }) : account;
  const received = await receive(services, proven, arrival);
  // The error also rolls back an adoption.
  if (received === null) throw new Overtaken(provider);
  return proved(services, received, evidence);
}

async function proved(...given: Parameters<typeof prove>): Promise<Answer | Refused> {
  return (await prove(...given)) ?? { refused: "account changed meanwhile" };
}

/**
 * For an unverified account, this proves the address like an email would. An account with an authenticator must use
 * that as well.
 */
function proofOf({ step }: Found, { provider }: Identified): FirstProof {
  if (step === "adopt") return "vouched-address";
  return provider.secondStep ? "provider" : "trusted-provider";
}

/** The part of a profile that is stored during a second step. */
function subjectOf({ issuer, subject, email }: Profile): Arrival["profile"] {
  return { issuer, subject, email };
}

/**
 * The role from the provider's claims; empty if the provider is not configured to set roles or returned no role claim.
 */
function roleOf({ provider, profile: { role } }: Identified): Pick<Arrival, "role"> {
  return provider.roles === null || role === undefined ? {} : { role };
}

/**
 * Returns the locked account of a known identity; null for an unknown one. The account's current address does not
 * matter.
 */
async function knownAccount({ db: tx }: Inside, profile: Profile): Promise<Found | Refused | null> {
  const found = await findIdentity(tx, profile);
  if (found === null) return null;
  const account = await lockAccount(tx, { id: found.accountId });
  if (account === null) return { refused: "account changed meanwhile" };
  if (account.disabled) return { refused: "account disabled" };
  // If the identity was removed while this request waited for the lock, `receive` returns null.
  return { account, step: "use" };
}

/** Returns the account to which `judgeIdentity` links an unknown identity. */
async function unknownAccount(
  services: Inside,
  { provider, profile }: Identified,
): Promise<Found | Refused> {
  const { db: tx } = services;
  const { email, isVouched } = profile;
  const { name, register, domains } = provider;
  // Before any lookup, so that timing does not reveal whether another person's address has an account.
  const refused = refusedAddress({ email, isVouched, domains });
  if (refused !== null || email === null) return refused ?? { refused: "no address" };
  const found = await lockAccount(tx, { email });
  if (found !== null && (await isNowKnown(tx, found, profile)))
    return { account: found, step: "use" };
  const hasIdentity =
    found !== null && (await hasIdentityOf(tx, { accountId: found.id, provider: name }));
  const account = found && { ...found, hasIdentity };
  const verdict = judgeIdentity({ isVouched, email, register, domains, account });
  if (typeof verdict === "object") return verdict;
  if (verdict !== "register" && found !== null) return { account: found, step: verdict };
  return {
    account: await registeredAccount(services, { provider, profile, email }),
    step: "use",
  };
}

/** Hands the account over to the owner of its address and links their identity, without a separate notice. */
async function adopted(
  services: Inside,
  account: Credentials,
  { provider, arrival }: Pick<Identified, "provider"> & { readonly arrival: Arrival },
): Promise<Credentials> {
  const proven = await verified(services, account);
  const { id } = proven;
  if (!(await addIdentity(services, { ...arrival, accountId: id }))) throw new Overtaken(provider);
  await recordEvent(services, { kind: "identity-added", accountId: id, by: id });
  return proven;
}

/** Whether a concurrent sign-in linked the identity to the account while this one waited for its lock. */
async function isNowKnown(
  tx: Inside["db"],
  { id, disabled }: Credentials,
  profile: Profile,
): Promise<boolean> {
  const found = await findIdentity(tx, profile);
  return !disabled && found?.accountId === id;
}

async function registeredAccount(
  services: Inside,
  {
    provider,
    profile,
    email,
  }: Pick<Identified, "provider" | "profile"> & { readonly email: string },
): Promise<Credentials> {
  const account = await addVerified(services, { email, name: profile.name ?? undefined });
  if (account === null) throw new Overtaken(provider);
  const { id } = account;
  const identity = { accountId: id, provider: provider.name, profile: subjectOf(profile) };
  if (!(await addIdentity(services, identity))) throw new Overtaken(provider);
  await recordEvent(services, { kind: "identity-added", accountId: id, by: id });
  return account;
}

/** A concurrent sign-in has just taken the address or the identity: the transaction is rolled back. */
export class Overtaken extends Error {
  readonly provider: ProviderSettings;

  constructor(provider: ProviderSettings) {
    super();
    this.provider = provider;
  }
}
