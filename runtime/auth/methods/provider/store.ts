import type { Queryable } from "../../../db/index.js";
import { pruneExpired } from "../../pruning.js";
import { hashToken } from "../../token/token.js";
import type { Profile } from "./protocol/profile.js";

/** A sign-in in progress at the provider. */
export interface PendingState {
  readonly provider: string;
  readonly nonceHash: Buffer;
  readonly challenge: string;
  readonly returnTo: string;
}

/** A sign-in that has returned from the provider. */
export interface Ticket {
  readonly provider: string;
  readonly profile: Profile;
}

/** Adds a state, and occasionally deletes expired ones. */
export async function insertState(
  db: Queryable,
  state: PendingState & { readonly stateHash: Buffer; readonly expiresAt: Date },
): Promise<void> {
  await db.query(
    `insert into service.provider_states
       (state_hash, provider, nonce_hash, challenge, return_to, expires_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      state.stateHash,
      state.provider,
      state.nonceHash,
      state.challenge,
      state.returnTo,
      state.expiresAt,
    ],
  );
  await pruneExpired(db, "service.provider_states");
}

/** Spends a state; null if it is spent, expired or unknown. */
export async function spendState(
  db: Queryable,
  { stateHash, now }: { readonly stateHash: Buffer; readonly now: Date },
): Promise<PendingState | null> {
  const rows = await db.query<PendingState>(
    `delete from service.provider_states
     where state_hash = $1
       and expires_at > $2
     returning provider, nonce_hash as "nonceHash", challenge, return_to as "returnTo"`,
    [stateHash, now],
  );
  return rows[0] ?? null;
}

/** Adds a ticket, and occasionally deletes expired ones. */
export async function insertTicket(
  db: Queryable,
  ticket: Ticket & {
    readonly ticketHash: Buffer;
    readonly challenge: string;
    readonly expiresAt: Date;
  },
): Promise<void> {
  await db.query(
    `insert into service.provider_tickets (ticket_hash, provider, challenge, profile, expires_at)
     values ($1, $2, $3, $4, $5)`,
    [
      ticket.ticketHash,
      ticket.provider,
      ticket.challenge,
      JSON.stringify(ticket.profile),
      ticket.expiresAt,
    ],
  );
  await pruneExpired(db, "service.provider_tickets");
}

/** Spends a ticket; null if it is spent, expired, unknown, or was issued for another secret. */
export async function spendTicket(
  tx: Queryable,
  {
    ticketHash,
    challenge,
    now,
  }: { readonly ticketHash: Buffer; readonly challenge: string; readonly now: Date },
): Promise<Ticket | null> {
  const rows = await tx.query<Ticket>(
    `delete from service.provider_tickets
     where ticket_hash = $1
       and challenge = $2
       and expires_at > $3
     returning provider, profile`,
    [ticketHash, challenge, now],
  );
  return rows[0] ?? null;
}

/**
 * Seconds for which a token is remembered beyond its expiry: PostgreSQL's clock, which decides when it is deleted, may
 * be ahead of the clock that accepts it.
 */
const keptSeconds = 3600;

/**
 * Records a provider's token until `lastSecond`, and occasionally deletes expired ones. Returns false if it was already
 * recorded. An expired token is refused earlier.
 */
export async function takeToken(
  tx: Queryable,
  { token, lastSecond }: { readonly token: string; readonly lastSecond: number },
): Promise<boolean> {
  // Without the signature: some algorithms allow several signatures of the same content.
  const tokenHash = hashToken(token.slice(0, token.lastIndexOf(".")));
  const expiresAt = new Date((lastSecond + keptSeconds) * 1000);
  const rows = await tx.query(
    `insert into service.provider_tokens (token_hash, expires_at)
     values ($1, $2)
     on conflict (token_hash) do nothing
     returning token_hash`,
    [tokenHash, expiresAt],
  );
  await pruneExpired(tx, "service.provider_tokens");
  return rows.length > 0;
}
