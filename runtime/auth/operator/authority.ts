import type { Transaction } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import type { Context } from "../../http/index.js";
import type { Services } from "../../own-code/index.js";
import { isUuid } from "../../values/uuid.js";
import { isOperator } from "../account/is-operator.js";
import { lockOperators } from "../account/last-operator.js";
import type { Account, Credentials } from "../account/store.js";
import { lockCallerAccount } from "../session/caller.js";

// Every change by an operator runs under one lock, and rechecks its preconditions under it: if twenty operators remove
// each other's roles concurrently, one operator remains.

/** The services of an operator's action; `db` is its transaction. */
export interface Operation extends Pick<Services, "clock" | "config" | "mailer"> {
  readonly db: Transaction;
  /** The operator's account; null for the command line. */
  readonly by: string | null;
}

/**
 * Runs an operator's request in a transaction under the lock. Refuses a caller who was signed out, disabled or demoted
 * after the token was checked. The transaction is retried after a deadlock.
 */
export function actAsOperator<T>(
  context: Context,
  work: (operation: Operation, caller: Credentials) => Promise<T>,
): Promise<T> {
  const { services } = context;
  return services.db.ofResource("users").transaction(async (tx) => {
    await lockOperators(tx);
    const caller = await lockCallerAccount(tx, context);
    if (!isOperator(services.config, caller)) refuse("FORBIDDEN");
    return work({ ...services, db: tx, by: caller.id }, caller);
  });
}

/**
 * Refuses to write an account that has, or would get, an operator role other than the caller's. Callers with the first
 * operator role are exempt. Otherwise any operator could take over the others.
 */
export function refuseOtherOperators(
  { auth }: Operation["config"],
  caller: Pick<Account, "role">,
  role: string | null,
): void {
  const [first] = auth.operators;
  if (caller.role === first || caller.role === role || !auth.operators.some((one) => one === role))
    return;
  refuse("FORBIDDEN", {
    error: `Only accounts with the role ${first} may do this to accounts with the role ${role}`,
  });
}

export function idOf({ params: { id = "" } }: Pick<Context, "params">): string {
  return isUuid(id) ? id.toLowerCase() : refuse("NOT_FOUND");
}

/** An action that the command line refuses, because no account could manage accounts after it. */
export class LastOperator extends Error {
  readonly hint: string;

  constructor({ email }: Pick<Account, "email">, { auth }: Operation["config"]) {
    const roles = auth.operators.join(", ");
    super(`${email} is the last enabled operator (auth.operators: ${roles})`);
    this.hint = "first give another account one of these roles: npx service user set-role";
  }
}
