import { v7 } from "uuid";
import type { Config } from "../../../config/index.js";
import type { Services } from "../../../own-code/index.js";
import { nameShape } from "../../account/input.js";
import { defaultName, insertAccount, lockAccount } from "../../account/store.js";
import { recordEvent } from "../../event/record.js";
import type { Registering } from "../../mailed/use-code.js";

/** The name in the body of a sign-in by mail that may make an account. */
export const newNameShape = { name: nameShape.optional() };

/**
 * Makes a verified account of an address that somebody has proved, without a password; undefined where nobody gets an
 * account that way. One that was made at the same moment is taken as it is.
 */
export function registering(
  { config, clock }: Pick<Services, "clock"> & { readonly config: Pick<Config, "auth"> },
  { name }: { readonly name?: string | undefined },
): Registering | undefined {
  if (!config.auth.registerByEmail) return undefined;
  return async (db, email) => {
    const now = clock.now();
    const id = v7({ msecs: now.getTime() });
    const isAdded = await insertAccount(db, {
      id,
      name: name ?? defaultName(email),
      email,
      role: null,
      passwordHash: null,
      invited: false,
      emailVerified: true,
      now,
    });
    const account = await lockAccount(db, { email });
    if (isAdded)
      await recordEvent({ db, clock }, { kind: "account-created", accountId: id, by: id });
    return account;
  };
}
