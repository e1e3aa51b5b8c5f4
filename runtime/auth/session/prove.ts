import { v7 } from "uuid";
import type { Queryable } from "../../db/index.js";
import type { Answer } from "../../http/index.js";
import type { Services } from "../../services/index.js";
import type { Credentials } from "../account/store.js";
import { newToken } from "../token/token.js";
import { assure, type Proofs, type SecondProof } from "./assurance.js";
import { challengeMinutes, insertChallenge } from "./challenge.js";
import type { Device } from "./device.js";
import { endOldestSessions } from "./devices.js";
import { insertSession } from "./store.js";

/** What the door stands on; `db` may be the connection of a transaction. */
export type DoorServices = Pick<Services, "clock" | "config" | "log"> & { readonly db: Queryable };

/** What somebody has proved, and with which device. */
export interface Showing {
  readonly proofs: Proofs;
  readonly device: Device;
}

const dayMilliseconds = 86_400_000;

/**
 * The only door to a session. Whoever has verified proofs for an account calls this and gives its answer:
 * 201 with a token that lives for the configured number of days, or 200 with a challenge where a second
 * step is needed. Null when the account is disabled, or was changed since it was read so that these
 * proofs open nothing any more; the caller then refuses in its own words.
 */
export async function prove(
  services: DoorServices,
  account: Credentials,
  showing: Showing,
): Promise<Answer | null> {
  if (account.disabled) return null;
  const { enrolled } = account;
  const settings = services.config.auth.twoFactor;
  const assurance = assure({ proofs: showing.proofs, enrolled, settings });
  return assurance.kind === "signed-in"
    ? openSession(services, account, showing)
    : challenge(services, account, { ...showing, methods: assurance.methods });
}

async function openSession(
  { db, clock, config }: DoorServices,
  { id, name, email, role, generation }: Credentials,
  { proofs, device }: Showing,
): Promise<Answer | null> {
  const now = clock.now();
  const { token, hash } = newToken();
  const sessionId = v7({ msecs: now.getTime() });
  const opened = await insertSession(db, {
    ...device,
    id: sessionId,
    accountId: id,
    generation,
    tokenHash: hash,
    proofs,
    now,
    expiresAt: new Date(now.getTime() + config.auth.tokenLifetimeDays * dayMilliseconds),
  });
  if (!opened) return null;
  await endOldestSessions(db, { id: sessionId, accountId: id });
  return { status: 201, json: JSON.stringify({ token, user: { id, name, email, role } }) };
}

async function challenge(
  { db, clock }: DoorServices,
  { id, generation }: Credentials,
  { proofs, device, methods }: Showing & { readonly methods: readonly SecondProof[] },
): Promise<Answer> {
  const { token, hash } = newToken();
  await insertChallenge(db, {
    tokenHash: hash,
    accountId: id,
    generation,
    proof: proofs[0],
    deviceName: device.name,
    expiresAt: new Date(clock.now().getTime() + challengeMinutes * 60_000),
  });
  return {
    status: 200,
    json: JSON.stringify({ twoFactor: true, challenge: token, methods }),
  };
}
