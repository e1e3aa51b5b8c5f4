import type { Config } from "../../../config/index.js";
import type { Services } from "../../../own-code/index.js";
import { addVerified } from "../../account/add-verified.js";
import { nameShape } from "../../account/input.js";
import { lockAccount } from "../../account/store.js";
import type { Registering } from "../../mailed/use-code.js";

/** The name in the body of a sign-in by email that may create an account. */
export const newNameShape = { name: nameShape.optional() };

/**
 * Creates the account of an address that its reader has proved, or returns one that was created concurrently. Undefined
 * if sign-ins by email create no accounts.
 */
export function registering(
  { config, clock }: Pick<Services, "clock"> & { readonly config: Pick<Config, "auth"> },
  { name }: { readonly name?: string | undefined },
): Registering | undefined {
  if (!config.auth.registerByEmail) return undefined;
  return async (db, email) =>
    (await addVerified({ db, clock }, { email, name })) ?? lockAccount(db, { email });
}
