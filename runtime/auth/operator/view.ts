import { v7 } from "uuid";
import { z } from "zod";
import { refuse } from "../../errors/index.js";
import type { Answer, Context } from "../../http/index.js";
import { labelShape } from "../account/input.js";
import { isOperator } from "../account/is-operator.js";
import { type Credentials, lockAccount } from "../account/store.js";
import { accept, readAccountJson } from "../input.js";
import { sendNotice } from "../mailed/notice.js";
import { requireFreshSession } from "../session/caller.js";
import { insertView } from "../session/delegated/views.js";
import { insertSession } from "../session/insert.js";
import { viewProof } from "../session/kind.js";
import { newToken } from "../token/token.js";
import { actAsOperator, idOf, type Operation } from "./authority.js";

const viewShape = z.strictObject({ reason: labelShape(200) });

const viewMilliseconds = 30 * 60_000;

/**
 * `POST /_service/accounts/:id/view`: returns a token that can read what the account can read. The account sees it
 * among its devices, and its owner is notified.
 */
export async function seeAs(context: Context): Promise<Answer> {
  await requireFreshSession(context);
  const json = await readAccountJson(context);
  const id = idOf(context);
  const view = await actAsOperator(context, async (operation, caller) => {
    const account = caller.id === id ? caller : await lockAccount(operation.db, { id });
    if (account === null) return refuse("NOT_FOUND");
    const { reason } = accept(viewShape, json);
    refuseUnviewable(operation, account);
    const opened = await openView(operation, account, { viewer: caller, reason });
    await sendNotice(operation, account, { kind: "viewed-as" });
    return opened;
  });
  return { status: 201, json: JSON.stringify(view) };
}

function refuseUnviewable({ config, by }: Operation, account: Credentials): void {
  if (account.id === by) refuse("INVALID", { error: "You cannot view yourself" });
  if (isOperator(config, account)) refuse("INVALID", { error: "You cannot view an operator" });
  if (account.disabled) refuse("INVALID", { error: "The account is disabled: enable it first" });
}

interface View {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Adds the session under the operator's name. The operator's browser and IP address are hidden from the account. */
async function openView(
  { db, clock }: Operation,
  { id: accountId, generation }: Credentials,
  { viewer, reason }: { readonly viewer: Credentials; readonly reason: string },
): Promise<View> {
  const now = clock.now();
  const id = v7({ msecs: now.getTime() });
  const { token, hash: tokenHash } = newToken("view_");
  const expiresAt = new Date(now.getTime() + viewMilliseconds);
  const device = { name: viewer.name, browser: null, ipAddress: null };
  await insertSession(
    db,
    { ...device, id, accountId, generation, tokenHash, proofs: [viewProof], now, expiresAt },
    { kind: "viewed-as", by: viewer.id, reason },
  );
  await insertView(db, { id, viewerId: viewer.id });
  return { token, expiresAt };
}
