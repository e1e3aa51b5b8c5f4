import { v7 } from "uuid";
import type { Services } from "../../own-code/index.js";
import { refuseTaken } from "../account/address.js";
import { type NewAccount, newAccountShape } from "../account/input.js";
import { type Account, insertAccount } from "../account/store.js";
import { recordEvent } from "../event/record.js";
import { accept } from "../input.js";
import { hashPassword } from "../password/hash.js";
import { acceptNewPassword } from "../password/rules.js";

/**
 * Creates an account with a verified address, for `service user create`. Throws a `Refusal` for a malformed or taken
 * address, an invalid name or role, or a password that breaks the rules.
 */
export async function createAccount(
  { db, clock, config }: Pick<Services, "db" | "clock" | "config">,
  input: NewAccount,
): Promise<Account> {
  const { email, name, role, password } = accept(newAccountShape, input);
  const comparable = await acceptNewPassword(config, { password, path: "password" });
  const now = clock.now();
  const account = { id: v7({ msecs: now.getTime() }), name, email, role };
  const passwordHash = await hashPassword(comparable);
  await db.transaction(async (tx) => {
    const added = { ...account, passwordHash, emailVerified: true, now };
    if (!(await insertAccount(tx, added))) refuseTaken();
    await recordEvent(
      { db: tx, clock },
      { kind: "account-created", accountId: account.id, by: null },
    );
  });
  return account;
}
