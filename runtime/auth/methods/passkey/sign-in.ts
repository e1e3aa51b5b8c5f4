import type { Transaction } from "../../../db/index.js";
import { refuse } from "../../../errors/index.js";
import type { Answer, Context } from "../../../http/index.js";
import type { Services } from "../../../own-code/index.js";
import { lockAccount } from "../../account/store.js";
import { readBody } from "../../input.js";
import { countSignIn, countUnknownSignIn } from "../../password/limit.js";
import { type Device, deviceOf } from "../../session/device.js";
import { prove } from "../../session/prove.js";
import { hashToken } from "../../token/token.js";
import { type ClientData, clientDataOf, verifyAuthentication } from "./ceremony.js";
import { makeChallenge } from "./challenge.js";
import { type AuthenticationCredential, optionsShape, signInShape } from "./input.js";
import { requestOptions } from "./options.js";
import {
  type AuthenticatorState,
  checkCounter,
  findParty,
  isBoundTo,
  relyingParty,
  userHandleOf,
} from "./rules.js";
import {
  findOwner,
  findPublicKey,
  recordUse,
  type StoredPublicKey,
  spendChallenge,
} from "./store.js";

interface SignInAttempt {
  /** The passkey's account; null if the passkey is unknown. */
  readonly owner: string | null;
  readonly credential: AuthenticationCredential;
  readonly clientData: ClientData;
  readonly device: Device;
}

/** `POST /auth/passkey/options`: the same for every caller, so it reveals nothing. */
export async function signInOptions(context: Context): Promise<Answer> {
  const { services } = context;
  const { config } = services;
  const { site } = await readBody(context, optionsShape(config));
  const challenge = await makeChallenge(services, { accountId: null, site });
  const options = requestOptions(relyingParty(config, site), challenge);
  return { status: 200, json: JSON.stringify(options) };
}

/** `POST /auth/passkey`. */
export async function signIn(context: Context): Promise<Answer> {
  const { services } = context;
  const { credential, deviceName } = await readBody(context, signInShape);
  const owner = await findOwner(services.db, Buffer.from(credential.id, "base64url"));
  // Attempts with an unknown credential are counted by its id, so that known and unknown ones get the same sequence of
  // responses.
  await (owner === null
    ? countUnknownSignIn(services, credential.id)
    : countSignIn(services, owner.email));
  const clientData = clientDataOf(credential);
  if (clientData === null) return refuse("INVALID_PASSKEY");
  const attempt = {
    owner: owner?.id ?? null,
    credential,
    clientData,
    device: deviceOf(context, deviceName),
  };
  const answer = await services.db.transaction((tx) => verifyAndSignIn(services, tx, attempt));
  return answer ?? refuse("INVALID_PASSKEY");
}

/**
 * Opens a session for the owner of the passkey; null if the passkey is refused. The challenge is spent either way,
 * unless the server fails.
 */
async function verifyAndSignIn(
  services: Services,
  tx: Transaction,
  { owner, credential, clientData, device }: SignInAttempt,
): Promise<Answer | null> {
  const now = services.clock.now();
  const account = owner === null ? null : await lockAccount(tx, { id: owner });
  const hash = hashToken(clientData.challenge);
  const site = await spendChallenge(tx, { hash, accountId: null, now });
  const party = findParty(services.config, site);
  if (party === null) return null;
  if (account === null || account.disabled || !belongsTo(credential, account.id)) return null;

  const credentialId = Buffer.from(credential.id, "base64url");
  const key = await findPublicKey(tx, { accountId: account.id, credentialId });
  if (key === null || !isBoundTo(party, key)) return null;
  const { publicKey } = key;
  const shown = await verifyAuthentication(party, { credential, clientData, publicKey });
  if (shown === null || !isCounterAccepted(services, key, shown)) return null;
  if (!(await recordUse(tx, key, { ...shown, now }))) return null;
  return prove({ ...services, db: tx }, account, { proofs: ["passkey"], device });
}

/** Whether the authenticator's user handle names that account. */
function belongsTo({ response }: AuthenticationCredential, accountId: string): boolean {
  return response.userHandle === userHandleOf(accountId).toString("base64url");
}

function isCounterAccepted(
  { log }: Services,
  key: StoredPublicKey,
  shown: AuthenticatorState,
): boolean {
  const verdict = checkCounter(key, shown);
  if (verdict !== "advances") {
    const counters = { stored: key.counter, shown: shown.counter };
    log.warn({ passkey: key.id, ...counters, verdict }, "the counter of a passkey did not advance");
  }
  return verdict !== "refused";
}
