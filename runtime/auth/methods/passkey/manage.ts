import { v7 } from "uuid";
import type { Transaction } from "../../../db/index.js";
import { refuse } from "../../../errors/index.js";
import type { Answer, Context } from "../../../http/index.js";
import { isUuid } from "../../../values/uuid.js";
import { hasOtherWayIn } from "../../account/ways-in.js";
import { accept, readAccountJson, readBody } from "../../input.js";
import { announce } from "../../mailed/notice.js";
import {
  findCallerAccount,
  lockCallerAccount,
  requireCaller,
  requireFreshSession,
} from "../../session/caller.js";
import { hashToken } from "../../token/token.js";
import { type ClientData, clientDataOf, verifyRegistration } from "./ceremony.js";
import { makeChallenge } from "./challenge.js";
import { additionShape, optionsShape, type RegistrationCredential, renameShape } from "./input.js";
import { creationOptions } from "./options.js";
import { findParty, maxPasskeys, relyingParty } from "./rules.js";
import {
  countPasskeys,
  deletePasskey,
  hasPasskey,
  insertPasskey,
  listCredentials,
  listPasskeys,
  type Passkey,
  renamePasskey,
  spendChallenge,
} from "./store.js";

interface NewPasskey {
  readonly credential: RegistrationCredential;
  readonly clientData: ClientData;
  readonly name: string;
}

/** `GET /auth/passkeys`. */
export async function readPasskeys(context: Context): Promise<Answer> {
  const data = await listPasskeys(context.services.db, requireCaller(context).accountId);
  return { status: 200, json: JSON.stringify({ data }) };
}

/** `POST /auth/passkeys/options`: the options for creating a passkey. */
export async function addOptions(context: Context): Promise<Answer> {
  await requireFreshSession(context);
  const { services } = context;
  const { config } = services;
  const { site } = await readBody(context, optionsShape(config));
  const account = await findCallerAccount(context);
  const known = await listCredentials(services.db, account.id);
  if (known.length >= maxPasskeys) refuse("TOO_MANY_PASSKEYS");
  const challenge = await makeChallenge(services, { accountId: account.id, site });
  const options = creationOptions(relyingParty(config, site), { account, challenge, known });
  return { status: 200, json: JSON.stringify(options) };
}

/** `POST /auth/passkeys`. */
export async function addPasskey(context: Context): Promise<Answer> {
  await requireFreshSession(context);
  const { credential, name } = await readBody(context, additionShape);
  const clientData = clientDataOf(credential);
  if (clientData === null) return refuseCredential();
  const { db } = context.services;
  const passkey = await db.transaction((tx) =>
    verifyAndInsert(context, tx, { credential, clientData, name }),
  );
  if (passkey === null) return refuseCredential();
  return { status: 201, json: JSON.stringify(passkey) };
}

/** Adds the passkey; null if it is refused. The challenge is spent either way, unless the server fails. */
async function verifyAndInsert(
  context: Context,
  tx: Transaction,
  { credential, clientData, name }: NewPasskey,
): Promise<Passkey | null> {
  const { services } = context;
  const { clock, config } = services;
  const now = clock.now();
  const account = await lockCallerAccount(tx, context);
  const { id: accountId } = account;
  if ((await countPasskeys(tx, accountId)) >= maxPasskeys) refuse("TOO_MANY_PASSKEYS");
  const hash = hashToken(clientData.challenge);
  const site = await spendChallenge(tx, { hash, accountId, now });
  const party = findParty(config, site);
  if (party === null) return null;
  const verified = await verifyRegistration(party, credential, clientData);
  if (verified === null) return null;
  const id = v7({ msecs: now.getTime() });
  const passkey = await insertPasskey(tx, {
    id,
    accountId,
    name,
    rpId: party.id,
    credential: verified,
    now,
  });
  if (passkey !== null)
    await announce({ ...services, db: tx }, account, { kind: "passkey-added", by: accountId });
  return passkey;
}

/** `PATCH /auth/passkeys/:id`. */
export async function rename(context: Context): Promise<Answer> {
  const { db } = context.services;
  const json = await readAccountJson(context);
  const key = { accountId: requireCaller(context).accountId, id: passkeyId(context) };
  // An unknown passkey (404) takes precedence over an invalid name (422).
  if (!(await hasPasskey(db, key))) refuse("NOT_FOUND");
  const passkey = await renamePasskey(db, { ...key, ...accept(renameShape, json) });
  return { status: 200, json: JSON.stringify(passkey ?? refuse("NOT_FOUND")) };
}

/** `DELETE /auth/passkeys/:id`: refused if it is the last way to sign in. */
export async function removePasskey(context: Context): Promise<Answer> {
  const id = passkeyId(context);
  await context.services.db.transaction(async (tx) => {
    const account = await lockCallerAccount(tx, context);
    const key = { accountId: account.id, id };
    if (!(await hasPasskey(tx, key))) refuse("NOT_FOUND");
    const { config } = context.services;
    if (!(await hasOtherWayIn(tx, config, { account, without: id }))) refuse("LAST_SIGN_IN_METHOD");
    await deletePasskey(tx, key);
    await announce({ ...context.services, db: tx }, account, {
      kind: "passkey-removed",
      by: account.id,
    });
  });
  return { status: 204, json: null };
}

function passkeyId({ params: { id = "" } }: Context): string {
  return isUuid(id) ? id : refuse("NOT_FOUND");
}

/** 422, because 401 on a route that needs a token means that the token is invalid. */
function refuseCredential(): never {
  return refuse("INVALID_PASSKEY", {
    status: 422,
    issues: [{ path: "credential", message: "Could not be verified" }],
  });
}
