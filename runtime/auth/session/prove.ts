import { v7 } from "uuid";
import type { Services } from "../../http/index.js";
import type { Account } from "../account/store.js";
import { newToken } from "../token/token.js";
import { assure, type FirstProof } from "./assurance.js";
import type { Device } from "./device.js";
import { insertSession } from "./store.js";

/** A sign-in that is complete: the answer's body. */
export interface SignedIn {
  readonly token: string;
  readonly user: Account;
}

const dayMilliseconds = 86_400_000;

/**
 * The only door to a session: whoever has verified a proof for an account calls this, and gets a
 * token that lives for the configured number of days.
 */
export async function prove(
  { db, clock, config }: Pick<Services, "db" | "clock" | "config">,
  { id, name, email, role }: Account,
  proof: FirstProof,
  device: Device,
): Promise<SignedIn> {
  // Nobody can have a second step: no room enrols one.
  const assurance = assure({ proofs: [proof], enrolled: [], settings: config.auth.twoFactor });
  if (assurance.kind !== "signed-in") throw new Error("A second step that no room can ask for");

  const now = clock.now();
  const { token, hash } = newToken();
  await insertSession(db, {
    ...device,
    id: v7({ msecs: now.getTime() }),
    accountId: id,
    tokenHash: hash,
    proofs: [proof],
    now,
    expiresAt: new Date(now.getTime() + config.auth.tokenLifetimeDays * dayMilliseconds),
  });
  return { token, user: { id, name, email, role } };
}
