import { v7 } from "uuid";
import type { Queryable, Transaction } from "../../db/index.js";
import type { Answer } from "../../http/index.js";
import type { Services } from "../../own-code/index.js";
import type { Credentials } from "../account/store.js";
import type { Arrival } from "../identity/arrival.js";
import { bindToIdentity } from "../identity/sessions.js";
import { newToken } from "../token/token.js";
import { assess, type Proofs, type SecondProof } from "./assurance.js";
import { challengeMinutes, insertChallenge } from "./challenge.js";
import type { Device } from "./device.js";
import { deleteOldestSessions } from "./devices.js";
import { countedSessions, insertSession } from "./insert.js";

/** The services for opening a session; `db` is the transaction that spends the proof. */
export type SessionServices = Pick<Services, "clock" | "config" | "log"> & {
  readonly db: Transaction;
};

/** The services for opening a session without spending a proof: one statement, which needs no transaction. */
type Proving = Omit<SessionServices, "db"> & { readonly db: Queryable };

export interface Evidence {
  readonly proofs: Proofs;
  readonly device: Device;
  /** The changes to the account once all proofs are given; only for sign-ins with a provider. */
  readonly arrival?: Arrival;
}

const hourMilliseconds = 3_600_000;

/**
 * The only function that signs in a device (service tokens are made in `service-token/tokens.ts`). A method that has
 * verified proofs of an account returns its response. It is 201 with a token that is valid for the configured number of
 * days, or 200 with a challenge if a second step is required. Unused tokens may be configured to expire sooner. Null if
 * the account is disabled, or changed after it was read so that the proofs are no longer valid; the method then refuses
 * with its specific code.
 */
export async function prove(
  services: Proving,
  account: Credentials,
  evidence: Evidence,
): Promise<Answer | null> {
  if (account.disabled) return null;
  const { enrolled } = account;
  const settings = services.config.auth.twoFactor;
  const assurance = assess({ proofs: evidence.proofs, enrolled, settings });
  return assurance.kind === "signed-in"
    ? openSession(services, account, evidence)
    : openChallenge(services, account, { ...evidence, methods: assurance.methods });
}

async function openSession(
  { db, clock, config }: Proving,
  { id, name, email, role, generation }: Credentials,
  { proofs, device, arrival }: Evidence,
): Promise<Answer | null> {
  const now = clock.now();
  const latestEnd = arrival === undefined ? null : latestEndBy(config, { arrival, now });
  const { token, hash } = newToken();
  const sessionId = v7({ msecs: now.getTime() });
  const added = {
    ...device,
    id: sessionId,
    accountId: id,
    generation,
    tokenHash: hash,
    proofs,
    now,
    expiresAt: earlier(hoursAfter(now, firstHours(config)), latestEnd),
  };
  const others = await insertSession(db, added, { kind: "signed-in", by: id });
  if (others === null) return null;
  if (arrival !== undefined) {
    const { profile } = arrival;
    await bindToIdentity(db, { id: sessionId, profile, latestEnd });
  }
  // Concurrent sign-ins do not count each other. Even with one sign-in on each connection of a process, the counted
  // sessions stay below the limit; the next sign-in deletes any excess.
  if (others === countedSessions) {
    await deleteOldestSessions(db, { id: sessionId, accountId: id });
  }
  return { status: 201, json: JSON.stringify({ token, user: { id, name, email, role } }) };
}

/** Returns the time at which a session of the provider ends, regardless of use; null if only the usual rules end it. */
function latestEndBy(
  { auth }: Proving["config"],
  { arrival, now }: { readonly arrival: Arrival; readonly now: Date },
): Date | null {
  const provider = auth.providers.find(({ name }) => name === arrival.provider);
  const hours = provider?.sessionHours ?? null;
  return hours === null ? null : hoursAfter(now, hours);
}

function hoursAfter(time: Date, hours: number): Date {
  return new Date(time.getTime() + hours * hourMilliseconds);
}

function earlier(one: Date, other: Date | null): Date {
  return other !== null && other < one ? other : one;
}

/** Returns the number of hours after which a session that is never used expires. */
function firstHours({ auth }: Proving["config"]): number {
  const hours = auth.tokenLifetimeDays * 24;
  return auth.idleHours === null ? hours : Math.min(hours, auth.idleHours);
}

async function openChallenge(
  { db, clock }: Proving,
  { id, generation }: Credentials,
  { proofs, device, arrival, methods }: Evidence & { readonly methods: readonly SecondProof[] },
): Promise<Answer> {
  const { token, hash } = newToken();
  await insertChallenge(db, {
    tokenHash: hash,
    accountId: id,
    generation,
    proof: proofs[0],
    deviceName: device.name,
    arrival: arrival ?? null,
    expiresAt: new Date(clock.now().getTime() + challengeMinutes * 60_000),
  });
  return {
    status: 200,
    json: JSON.stringify({ twoFactor: true, challenge: token, methods }),
  };
}
