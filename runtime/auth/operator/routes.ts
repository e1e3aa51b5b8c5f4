import { z } from "zod";
import { type BodyIssue, refuse } from "../../errors/index.js";
import type { Answer, Context, HandledRoute } from "../../http/index.js";
import { unlessTaken } from "../account/address.js";
import { addressShape, nameShape, roleNameShape } from "../account/input.js";
import { isOperator } from "../account/is-operator.js";
import { isLastOperator } from "../account/last-operator.js";
import { type Credentials, lockAccount } from "../account/store.js";
import { shown } from "../identity/shown.js";
import { listIdentities } from "../identity/store.js";
import { accept, readAccountJson, readBody } from "../input.js";
import { accountOfToken, listAccountTokens, removeToken } from "../service-token/tokens.js";
import { requireCaller, requireFreshSession } from "../session/caller.js";
import { listSessions } from "../session/devices.js";
import * as actions from "./account-actions.js";
import { actAsOperator, idOf, type Operation, refuseOtherOperators } from "./authority.js";
import { changeEmail } from "./email.js";
import { findShownAccount, listShownAccounts } from "./listing/accounts.js";
import { eventsPage } from "./listing/events.js";
import { invite, mailReset } from "./mails.js";
import type { AccountParts } from "./records.js";
import { seeAs } from "./view.js";

export const invitationShape = z.strictObject({
  name: nameShape,
  email: addressShape,
  role: roleNameShape.nullish().transform((role) => role ?? null),
});

export const accountChangeShape = z.strictObject({
  name: nameShape.optional(),
  role: roleNameShape.nullable().optional(),
  email: addressShape.optional(),
  disabled: z.boolean({ error: "Must be true or false" }).optional(),
});

const path = "/_service/accounts";
const tokensPath = "/_service/service-tokens";

/** The routes for other people's accounts, for the roles in `auth.operators`. */
export function accountsRoutes(
  operators: readonly string[],
  { records, onDeleted }: AccountParts,
): readonly HandledRoute[] {
  const access = operators;
  return [
    { method: "GET", path, access, handle: list },
    { method: "POST", path, access, handle: add },
    { method: "GET", path: `${path}/:id`, access, handle: get },
    { method: "PATCH", path: `${path}/:id`, access, handle: change },
    { method: "DELETE", path: `${path}/:id`, access, handle: remove },
    { method: "DELETE", path: `${path}/:id/sessions`, access, handle: on(actions.endSessions) },
    { method: "DELETE", path: `${path}/:id/two-factor`, access, handle: on(disableTwoFactor) },
    { method: "POST", path: `${path}/:id/password-reset`, access, handle: on(mailReset) },
    { method: "POST", path: `${path}/:id/view`, access, handle: seeAs },
    { method: "GET", path: "/_service/account-events", access, handle: listHappened },
    { method: "GET", path: tokensPath, access, handle: listTokens },
    { method: "DELETE", path: `${tokensPath}/:id`, access, handle: revoke },
  ];

  async function remove(context: Context): Promise<Answer> {
    try {
      await onAccount(context, async (operation, account) => {
        await refuseDeletion(operation, account);
        await actions.deleteAccount(operation, account, records);
      });
    } catch (error) {
      const { db, log } = context.services;
      return records.explain(error, { db, log, id: idOf(context) });
    }
    onDeleted();
    return { status: 204, json: null };
  }
}

async function list(context: Context): Promise<Answer> {
  return { status: 200, json: await listShownAccounts(context) };
}

async function listHappened(context: Context): Promise<Answer> {
  return { status: 200, json: await eventsPage(context) };
}

async function listTokens({ services }: Context): Promise<Answer> {
  return { status: 200, json: JSON.stringify({ data: await listAccountTokens(services) }) };
}

async function revoke(context: Context): Promise<Answer> {
  await requireFreshSession(context);
  const id = idOf(context);
  await actAsOperator(context, async (operation, caller) => {
    const accountId = (await accountOfToken(operation, id)) ?? refuse("NOT_FOUND");
    const account = await writableAccount(operation, accountId, caller);
    const { by } = operation;
    if (!(await removeToken(operation, { id, accountId: account.id, by }))) refuse("NOT_FOUND");
  });
  return { status: 204, json: null };
}

async function get(context: Context): Promise<Answer> {
  const { services } = context;
  const { db, clock, config } = services;
  const accountId = idOf(context);
  const account = (await findShownAccount(db, accountId)) ?? refuse("NOT_FOUND");
  const { sessionId } = requireCaller(context);
  const sessions = await listSessions(services, { accountId, sessionId, now: clock.now() });
  const isOffered = config.auth.providers.length > 0;
  const identities = isOffered ? await listIdentities(db, accountId) : [];
  const shownIdentities = identities.map((one) => shown(config, one));
  return {
    status: 200,
    json: JSON.stringify({
      ...account,
      sessions,
      ...(isOffered && { identities: shownIdentities }),
    }),
  };
}

async function add(context: Context): Promise<Answer> {
  await requireFreshSession(context);
  const invited = await readBody(context, invitationShape);
  const account = await actAsOperator(context, async (operation, caller) => {
    refuseOtherOperators(operation.config, caller, invited.role);
    return findShownAccount(operation.db, await invite(operation, invited));
  });
  return {
    status: 201,
    json: JSON.stringify(account),
    headers: { location: `/api${path}/${account?.id}` },
  };
}

type AccountChange = z.output<typeof accountChangeShape>;

async function change(context: Context): Promise<Answer> {
  await requireFreshSession(context);
  const json = await readAccountJson(context);
  const work = async (operation: Operation, account: Credentials, caller: Credentials) => {
    const sent = accept(accountChangeShape, json);
    if (sent.role !== undefined) refuseOtherOperators(operation.config, caller, sent.role);
    await refuseLockOut(operation, account, sent);
    refuseOwnEmail(operation, account, sent);
    const { disabled, email = account.email, ...rest } = sent;
    await actions.changeAccount(operation, account, rest);
    const moved = await changeEmail(operation, account, email);
    if (disabled === true) await actions.disableAccount(operation, moved);
    if (disabled === false) await actions.enableAccount(operation, moved);
    return findShownAccount(operation.db, account.id);
  };
  const changed = await unlessTaken(() => onFoundAccount(context, work));
  return { status: 200, json: JSON.stringify(changed) };
}

/** Refuses changes that would lock the caller, or every operator, out of managing accounts. */
async function refuseLockOut(
  operation: Operation,
  account: Credentials,
  { role, disabled }: AccountChange,
): Promise<void> {
  const isOwn = account.id === operation.by;
  const demotes =
    role !== undefined &&
    isOperator(operation.config, account) &&
    !isOperator(operation.config, { role });
  if (disabled !== true && !demotes) return;
  if (!isOwn && !(await isLastOperator(operation, account))) return;
  const message = isOwn
    ? "Only another operator can do this to your account"
    : "This is the last enabled operator";
  const issues: BodyIssue[] = [];
  if (disabled === true) issues.push({ path: "disabled", message });
  if (demotes) issues.push({ path: "role", message });
  refuse("INVALID", { issues });
}

/**
 * Refuses a change of the operator's own address: a hijacked session must not bypass the password that `POST
 * /auth/email/change` requires.
 */
function refuseOwnEmail({ by }: Operation, account: Credentials, { email }: AccountChange): void {
  if (account.id !== by || email === undefined || email === account.email) return;
  const message = "Change your own address in your account, with your password";
  refuse("INVALID", { issues: [{ path: "email", message }] });
}

async function refuseDeletion(operation: Operation, account: Credentials): Promise<void> {
  if (account.id === operation.by) {
    refuse("INVALID", { error: "Only another operator can delete your account" });
  }
  if (await isLastOperator(operation, account)) {
    refuse("INVALID", { error: "This is the last enabled operator" });
  }
}

/** Disables an account's second step. Refuses the operator's own account, for the same reason as its address. */
async function disableTwoFactor(operation: Operation, account: Credentials): Promise<void> {
  if (account.id === operation.by) {
    refuse("INVALID", { error: "Disable your own second step with your password" });
  }
  await actions.disableTwoFactor(operation, account);
}

/** Returns a route that acts on an account and has no response body. */
function on(
  work: (operation: Operation, account: Credentials) => Promise<void>,
): HandledRoute["handle"] {
  return async (context) => {
    await onAccount(context, work);
    return { status: 204, json: null };
  };
}

async function onAccount(
  context: Context,
  work: (operation: Operation, account: Credentials) => Promise<void>,
): Promise<void> {
  await requireFreshSession(context);
  await onFoundAccount(context, work);
}

/** Locks the account in the path and acts on it, if the caller may write it. */
function onFoundAccount<T>(
  context: Context,
  work: (operation: Operation, account: Credentials, caller: Credentials) => Promise<T>,
): Promise<T> {
  const id = idOf(context);
  return actAsOperator(context, async (operation, caller) => {
    return work(operation, await writableAccount(operation, id, caller), caller);
  });
}

/** Finds and locks the account with that id; refuses if the caller may not write it. */
async function writableAccount(
  { db, config }: Operation,
  id: string,
  caller: Credentials,
): Promise<Credentials> {
  const account = caller.id === id ? caller : await lockAccount(db, { id });
  if (account === null) return refuse("NOT_FOUND");
  refuseOtherOperators(config, caller, account.role);
  return account;
}
