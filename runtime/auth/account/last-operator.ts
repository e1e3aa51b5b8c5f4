import { type Database, lockNumbers, type Queryable, type Transaction } from "../../db/index.js";
import type { Services } from "../../own-code/index.js";
import { isOperator } from "./is-operator.js";
import type { Account, Credentials } from "./store.js";

// Everything that can end the rights of an operator runs under one lock, and checks there whether another operator
// remains. The lock is acquired before that of any account, so that transactions do not deadlock.

type Operators = Pick<Services, "config"> & { readonly db: Queryable };

/** Waits for other transactions that change operators; the lock is held until the transaction ends. */
export async function lockOperators(tx: Queryable): Promise<void> {
  await tx.query("select pg_advisory_xact_lock($1)", [lockNumbers.operators]);
}

/** Whether the account is the only enabled one that may manage accounts. */
export async function isLastOperator(
  { db, config }: Operators,
  account: Pick<Credentials, "id" | "role" | "disabled">,
): Promise<boolean> {
  if (account.disabled || !isOperator(config, account)) return false;
  const others = await db.query(
    `select id
     from service.users
     where role = any ($1)
       and disabled_at is null
       and id <> $2
     limit 1`,
    [config.auth.operators, account.id],
  );
  return others.length === 0;
}

/** Thrown if another transaction is changing operators. */
class OperatorsBusy extends Error {}

/**
 * Runs a transaction that calls `wouldEndOperators`. If another transaction has the lock, runs it again, with the
 * operators locked first.
 */
export async function transactionOfOperators<T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await db.transaction(work);
  } catch (error) {
    if (!(error instanceof OperatorsBusy)) throw error;
  }
  return db.transaction(async (tx) => {
    await lockOperators(tx);
    return work(tx);
  });
}

/**
 * Whether changing a locked account to `next` would leave no account that may manage accounts. Never waits for the lock
 * of operators, which other transactions acquire before that of an account: see `transactionOfOperators`.
 */
export async function wouldEndOperators(
  { db, config }: Operators,
  account: Pick<Credentials, "id" | "role" | "disabled">,
  next: Pick<Account, "role">,
): Promise<boolean> {
  if (!isOperator(config, account) || isOperator(config, next)) return false;
  const [lock] = await db.query<{ held: boolean }>("select pg_try_advisory_xact_lock($1) as held", [
    lockNumbers.operators,
  ]);
  if (lock?.held !== true) throw new OperatorsBusy();
  return isLastOperator({ db, config }, account);
}
