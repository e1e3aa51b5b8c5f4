import { z } from "zod";
import { refuse } from "../../errors/index.js";
import type { Context } from "../../http/index.js";
import type { Credentials } from "../account/store.js";
import { text } from "../input.js";
import { reauthenticate } from "../password/reauthenticate.js";
import { requireFreshSession } from "./caller.js";

/** The body that confirms a change for which a stolen token must not be enough. */
export const confirmationShape = z.strictObject({ password: text.optional() });

/**
 * Confirms that the caller is the owner of the account: by its password or, if it has none, by a fresh sign-in. Refuses
 * attempts beyond the limit, which also counts sign-ins.
 */
export async function confirmOwner(
  context: Context,
  account: Credentials,
  { password }: z.output<typeof confirmationShape>,
): Promise<void> {
  if (password !== undefined) {
    await reauthenticate(context.services, account, { password, path: "password" });
  } else if (account.passwordHash === null) {
    await requireFreshSession(context);
  } else {
    const message = "Is required, since the account has one";
    refuse("INVALID", { issues: [{ path: "password", message }] });
  }
}
