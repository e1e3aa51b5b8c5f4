import { refuse } from "../../errors/index.js";
import { type Answer, type Context, type HandledRoute, hasBody } from "../../http/index.js";
import { isLastOperator, lockOperators } from "../account/last-operator.js";
import { readBody } from "../input.js";
import { refuseWrongPassword } from "../password/reauthenticate.js";
import { findCallerAccount, lockCallerAccount, requireCaller } from "../session/caller.js";
import { confirmationShape, confirmOwner } from "../session/confirm.js";
import * as actions from "./account-actions.js";
import type { AccountParts } from "./records.js";

/** `DELETE /auth/me`, if users may delete their own accounts; works like a deletion by an operator. */
export function ownAccountRoutes({ records, onDeleted }: AccountParts): readonly HandledRoute[] {
  return [{ method: "DELETE", path: "/auth/me", access: "signed-in", handle: remove }];

  async function remove(context: Context): Promise<Answer> {
    const { services } = context;
    const sent = hasBody(context.request) ? await readBody(context, confirmationShape) : {};
    const account = await findCallerAccount(context);
    await confirmOwner(context, account, sent);
    try {
      await services.db.ofResource("users").transaction(async (tx) => {
        const operation = { ...services, db: tx, by: account.id };
        await lockOperators(tx);
        const locked = await lockCallerAccount(tx, context);
        // The password has changed since it was checked.
        if (locked.generation !== account.generation) refuseWrongPassword("password");
        if (await isLastOperator(operation, locked)) {
          refuse("INVALID", { error: "This is the last enabled operator" });
        }
        await actions.deleteAccount(operation, locked, records);
      });
    } catch (error) {
      const { db, log } = services;
      return records.explain(error, { db, log, id: requireCaller(context).accountId });
    }
    onDeleted();
    return { status: 204, json: null };
  }
}
