import type { Queryable } from "../../db/index.js";
import { acceptedKeys, keyIdOf, type Secrets } from "../../secret/index.js";
import type { Services } from "../../services/index.js";
import {
  openFor,
  replaceSealed,
  type SealedColumn,
  type SealedPlace,
  sealedColumns,
  sealFor,
} from "./encrypted.js";

type ResealServices = Pick<Services, "db" | "config">;

/** What became of the values that were sealed with the previous secret. */
export interface Resealed {
  /** Sealed anew, here. */
  readonly resealed: number;
  /** By somebody else meanwhile, or gone. */
  readonly passed: number;
  /** Not opened by the secret that should open them; left as they are. */
  readonly lost: number;
}

/**
 * Seals anew, with the present secret, what was sealed with the previous one, so that the latter may be
 * taken away. Several instances may do it at once: each value is replaced once.
 */
export async function resealSecrets(services: ResealServices): Promise<Resealed> {
  const counts = { resealed: 0, passed: 0, lost: 0 };
  const [, previous] = acceptedKeys(services.config, "seal");
  if (previous === undefined) return counts;
  for (const column of sealedColumns) {
    for await (const row of sealedWith(services.db, column, previous.id)) {
      counts[await reseal(services, column, row)] += 1;
    }
  }
  return counts;
}

/** Seals anew beside the server's work; what became of it is told in the log only. */
export async function resealInBackground(
  services: ResealServices & Pick<Services, "log">,
): Promise<void> {
  const { log } = services;
  try {
    const { resealed, lost } = await resealSecrets(services);
    log.info({ resealed }, "What was sealed with SERVICE_SECRET_PREVIOUS is sealed anew");
    if (lost > 0) log.warn({ lost }, "SERVICE_SECRET_PREVIOUS does not open what it has sealed");
  } catch (err) {
    log.warn({ err }, "What was sealed with SERVICE_SECRET_PREVIOUS could not be sealed anew");
  }
}

interface SealedRow {
  readonly accountId: string;
  readonly sealed: Buffer;
}

/** Rows that are read at a time. */
const batch = 500;

/** Below every account's id. */
const nil = "00000000-0000-0000-0000-000000000000";

/** What a column holds that was sealed with that key. */
async function* sealedWith(
  db: Queryable,
  { table, name }: SealedColumn,
  keyId: Buffer,
): AsyncGenerator<SealedRow> {
  let after: string | undefined = nil;
  while (after !== undefined) {
    const rows: readonly SealedRow[] = await db.query<SealedRow>(
      `select user_id as "accountId", ${name} as sealed
       from ${table}
       where ${keyIdOf(name)} = $1
         and user_id > $2
       order by user_id
       limit $3`,
      [keyId, after, batch],
    );
    yield* rows;
    after = rows.at(-1)?.accountId;
  }
}

async function reseal(
  { db, config }: ResealServices,
  column: SealedColumn,
  { accountId, sealed: from }: SealedRow,
): Promise<keyof Resealed> {
  const place = { column, accountId };
  const plain = tryOpen(config, place, from);
  if (plain === null) return "lost";
  const to = sealFor(config, place, plain);
  return (await replaceSealed(db, place, { from, to })) ? "resealed" : "passed";
}

/** Null where it does not open: one that somebody changed must not keep the others from being sealed. */
function tryOpen(secrets: Secrets, place: SealedPlace, sealed: Buffer): Buffer | null {
  try {
    return openFor(secrets, place, sealed).plain;
  } catch {
    return null;
  }
}
