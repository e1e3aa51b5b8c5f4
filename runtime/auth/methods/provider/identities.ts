import { v7 } from "uuid";
import type { Transaction } from "../../../db/index.js";
import { refuse } from "../../../errors/index.js";
import type { Answer, Context } from "../../../http/index.js";
import { isUuid } from "../../../values/uuid.js";
import type { Credentials } from "../../account/store.js";
import { hasOtherWayIn } from "../../account/ways-in.js";
import { logRefused } from "../../identity/arrival.js";
import { shown, titleOf } from "../../identity/shown.js";
import {
  deleteIdentity,
  findIdentity,
  hasIdentityOf,
  type Identity,
  insertIdentity,
  listIdentities,
} from "../../identity/store.js";
import { readBody } from "../../input.js";
import { announce } from "../../mailed/notice.js";
import { lockCallerAccount, requireCaller, requireFreshSession } from "../../session/caller.js";
import { hashToken } from "../../token/token.js";
import { challengeOf } from "./binding.js";
import { ticketShape } from "./input.js";
import { isOfDomains } from "./rules.js";
import { spendTicket } from "./store.js";

/** `GET /auth/identities`. */
export async function readIdentities(context: Context): Promise<Answer> {
  const { db, config } = context.services;
  const found = await listIdentities(db, requireCaller(context).accountId);
  const data = found.map((one) => shown(config, one));
  return { status: 200, json: JSON.stringify({ data }) };
}

type Refused = "invalid" | "not-linked" | "taken" | "already-linked";

/** `POST /auth/identities`: links the identity of a ticket to the caller's account. The ticket is spent either way. */
export async function addIdentity(context: Context): Promise<Answer> {
  await requireFreshSession(context);
  const { ticket, secret } = await readBody(context, ticketShape);
  const { db, config } = context.services;
  const spent = { ticketHash: hashToken(ticket), challenge: challengeOf(secret) };
  const outcome = await db.transaction((tx) => link(context, tx, spent));
  switch (outcome) {
    case "invalid":
      return refuseTicket();
    case "not-linked":
      return refuse("ACCOUNT_NOT_LINKED");
    case "taken":
      return refuse("IDENTITY_TAKEN");
    case "already-linked":
      return refuse("PROVIDER_ALREADY_LINKED");
    default:
      return { status: 201, json: JSON.stringify(shown(config, outcome)) };
  }
}

async function link(
  { services, ...context }: Context,
  tx: Transaction,
  spent: { readonly ticketHash: Buffer; readonly challenge: string },
): Promise<Identity | Refused> {
  const { clock, config } = services;
  const now = clock.now();
  const account = await lockCallerAccount(tx, { ...context, services });
  const ticket = await spendTicket(tx, { ...spent, now });
  const provider = config.auth.providers.find(({ name }) => name === ticket?.provider);
  if (ticket === null || provider === undefined) return "invalid";
  const { profile } = ticket;
  const known = await findIdentity(tx, profile);
  if (known !== null) return known.accountId === account.id ? known : "taken";
  if (!isOfDomains(profile.email, provider.domains)) {
    const reason = "domain not allowed";
    logRefused(services, { provider: provider.name, reason });
    return "not-linked";
  }
  const accountId = account.id;
  if (await hasIdentityOf(tx, { accountId, provider: provider.name })) return "already-linked";
  const added = await insertIdentity(tx, {
    id: v7({ msecs: now.getTime() }),
    accountId,
    provider: provider.name,
    profile,
    isUsed: false,
    now,
  });
  if (added === null) return "taken";
  await announce({ ...services, db: tx }, account, {
    kind: "identity-added",
    provider: provider.title,
    by: accountId,
  });
  return added;
}

/** `DELETE /auth/identities/:id`: refused if it is the last way to sign in. */
export async function removeIdentity(context: Context): Promise<Answer> {
  await requireFreshSession(context);
  const { services } = context;
  const { id = "" } = context.params;
  if (!isUuid(id)) refuse("NOT_FOUND");
  await services.db.transaction(async (tx) => {
    const account = await lockCallerAccount(tx, context);
    const identity = await identityOf(tx, account, id);
    if (!(await hasOtherWayIn(tx, services.config, { account, without: identity.id }))) {
      refuse("LAST_SIGN_IN_METHOD");
    }
    await deleteIdentity(tx, identity);
    await announce({ ...services, db: tx }, account, {
      kind: "identity-removed",
      provider: titleOf(services.config, identity.provider),
      by: account.id,
    });
  });
  return { status: 204, json: null };
}

async function identityOf(
  tx: Transaction,
  { id: accountId }: Credentials,
  id: string,
): Promise<Identity> {
  const found = await listIdentities(tx, accountId);
  return found.find((one) => one.id === id.toLowerCase()) ?? refuse("NOT_FOUND");
}

/** 422, because 401 on a route that needs a token means that the token is invalid. */
function refuseTicket(): never {
  return refuse("INVALID_TOKEN", {
    status: 422,
    error: "The sign-in is not valid or has expired",
    issues: [{ path: "ticket", message: "Is not valid or has expired" }],
  });
}
