import { v7 } from "uuid";
import type { ProviderSettings } from "../../../config/index.js";
import type { Answer } from "../../../http/index.js";
import { type Credentials, defaultName, insertAccount, lockAccount } from "../../account/store.js";
import { recordEvent } from "../../event/record.js";
import { type Arrival, addIdentity, receive } from "../../identity/arrival.js";
import { findIdentity, hasIdentityOf } from "../../identity/store.js";
import type { NoticeServices } from "../../mailed/notice.js";
import { assess, type FirstProof } from "../../session/assurance.js";
import type { Device } from "../../session/device.js";
import { prove, type SessionServices } from "../../session/prove.js";
import { verified } from "../../session/sign-in-by-mail.js";
import type { Profile } from "./protocol/profile.js";
import { isOfDomains, judgeIdentity } from "./rules.js";

type Inside = SessionServices & NoticeServices;

/** Somebody whom a provider has identified. */
export interface Identified {
  readonly provider: ProviderSettings;
  readonly profile: Profile;
  readonly device: Device;
}

/** The account that somebody is led to, locked, and what becomes of it once all proofs are given. */
interface Found {
  readonly account: Credentials;
  readonly step: "use" | "link" | "adopt";
}

/**
 * Signs somebody in to the account of their identity, or the one that it is linked to now; null when it is refused. Where
 * a second step is asked for, nothing changes until it is passed.
 */
export async function signInAs(services: Inside, identified: Identified): Promise<Answer | null> {
  const { provider, profile, device } = identified;
  const found =
    (await knownAccount(services, profile)) ?? (await unknownAccount(services, identified));
  if (found === null || found === "refused") return null;
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
  if (kind === "second-step") return prove(services, account, evidence);
  const proven = step === "adopt" ? await adopted(services, account, arrival) : account;
  const received = await receive(services, proven, arrival);
  // What was adopted is undone with it.
  if (received === null) throw new Overtaken();
  return prove(services, received, evidence);
}

/** Of an unverified account the address is proved, as a mail would prove it: with an authenticator it is asked for that. */
function proofOf({ step }: Found, { provider }: Identified): FirstProof {
  if (step === "adopt") return "vouched-address";
  return provider.secondStep ? "provider" : "trusted-provider";
}

/** What is kept of a profile while a second step is waited for. */
function subjectOf({ issuer, subject, email }: Profile): Arrival["profile"] {
  return { issuer, subject, email };
}

/** The role that the provider's claims give, if they decide about roles. */
function roleOf({ provider, profile: { role } }: Identified): Pick<Arrival, "role"> {
  return provider.roles === null ? {} : { role };
}

/** The account of a known identity, locked; null for an unknown one. What the address is now decides nothing. */
async function knownAccount(
  { db: tx }: Inside,
  profile: Profile,
): Promise<Found | "refused" | null> {
  const found = await findIdentity(tx, profile);
  if (found === null) return null;
  const account = await lockAccount(tx, { id: found.accountId });
  if (account === null || account.disabled) return "refused";
  // Whether it was removed while the account was waited for shows once its use is recorded.
  return { account, step: "use" };
}

/** The account that an unknown identity is linked to, by the rules; null when it is linked to none. */
async function unknownAccount(
  services: Inside,
  { provider, profile }: Identified,
): Promise<Found | null> {
  const { db: tx } = services;
  const { email, isVouched } = profile;
  const { name, register, domains } = provider;
  // Before anything is looked up, so that no time tells whether somebody else's address has an account.
  if (email === null || !isVouched || !isOfDomains(email, domains)) return null;
  const found = await lockAccount(tx, { email });
  if (found !== null && (await isNowKnown(tx, found, profile)))
    return { account: found, step: "use" };
  const hasIdentity =
    found !== null && (await hasIdentityOf(tx, { accountId: found.id, provider: name }));
  const account = found && { ...found, hasIdentity };
  const verdict = judgeIdentity({ isVouched, email, register, domains, account });
  if (verdict === "refuse") return null;
  if (verdict === "register") {
    return {
      account: await registeredAccount(services, { provider, profile, email }),
      step: "use",
    };
  }
  return found === null ? null : { account: found, step: verdict };
}

/** The account handed over to the owner of its address, with their identity; the notice of that tells them. */
async function adopted(
  services: Inside,
  account: Credentials,
  arrival: Arrival,
): Promise<Credentials> {
  const proven = await verified(services, account);
  const { id } = proven;
  if (!(await addIdentity(services, { ...arrival, accountId: id }))) throw new Overtaken();
  await recordEvent(services, { kind: "identity-added", accountId: id, by: id });
  return proven;
}

/** Whether a concurrent sign-in has linked the identity to the account, which was waited for. */
async function isNowKnown(
  tx: Inside["db"],
  { id, disabled }: Credentials,
  profile: Profile,
): Promise<boolean> {
  const found = await findIdentity(tx, profile);
  return !disabled && found?.accountId === id;
}

/** A new account with the identity. */
async function registeredAccount(
  services: Inside,
  {
    provider,
    profile,
    email,
  }: Pick<Identified, "provider" | "profile"> & { readonly email: string },
): Promise<Credentials> {
  const { db: tx, clock } = services;
  const now = clock.now();
  const id = v7({ msecs: now.getTime() });
  const added = {
    id,
    name: profile.name ?? defaultName(email),
    email,
    role: null,
    passwordHash: null,
    invited: false,
    emailVerified: true,
    now,
  };
  if (!(await insertAccount(tx, added))) throw new Overtaken();
  const account = await lockAccount(tx, { id });
  if (account === null) throw new Overtaken();
  await recordEvent(services, { kind: "account-created", accountId: id, by: id });
  const identity = { accountId: id, provider: provider.name, profile: subjectOf(profile) };
  if (!(await addIdentity(services, identity))) throw new Overtaken();
  await recordEvent(services, { kind: "identity-added", accountId: id, by: id });
  return account;
}

/** A concurrent sign-in has just taken the address or the identity: the transaction is undone. */
export class Overtaken extends Error {}
