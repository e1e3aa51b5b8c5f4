import { v7 } from "uuid";
import { requireFreshSession } from "../../auth/index.js";
import { sequenceChanges } from "../../changes/index.js";
import { foreignKeyViolation } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import {
  type Answer,
  type Context,
  type HandledRoute,
  Parameters,
  refuseUnauthenticated,
} from "../../http/index.js";
import type { IpRange } from "../../values/addresses/ip-range.js";
import { secretText } from "../send/sign.js";
import { newSecret } from "../store/secrets.js";
import {
  addWebhook,
  changeWebhook,
  deleteWebhook,
  findWebhook,
  listWebhooks,
  lockWebhook,
  replaceSecret,
} from "../store/webhooks.js";
import { deliveryRoutes } from "./deliveries.js";
import { acceptWebhook, idOf, readSent, webhookShapes } from "./input.js";

/** Maximum number of webhooks per app. */
const mostWebhooks = 100;

export const path = "/_service/webhooks";

export interface WebhookRoutesParts {
  /** The resources whose changes are logged. */
  readonly resources: ReadonlySet<string>;
  readonly allowed: readonly IpRange[];
  /** Called when there is something to store or send. */
  readonly wake: () => void;
}

/** The routes for webhooks, which only roles in `auth.operators` may call. */
export function webhookRoutes(
  operators: readonly string[],
  { resources, allowed, wake }: WebhookRoutesParts,
): readonly HandledRoute[] {
  const access = operators;
  const shapes = webhookShapes(resources);
  return [
    { method: "GET", path, access, handle: list },
    { method: "POST", path, access, handle: add },
    { method: "GET", path: `${path}/:id`, access, handle: get },
    { method: "PATCH", path: `${path}/:id`, access, handle: change },
    { method: "DELETE", path: `${path}/:id`, access, handle: remove },
    { method: "POST", path: `${path}/:id/secret`, access, handle: renewSecret },
    ...deliveryRoutes(operators, path, wake),
  ];

  async function add(context: Context): Promise<Answer> {
    await requireFreshSession(context);
    const { config, db } = context.services;
    const values = await acceptWebhook(await readSent(context), shapes.added, allowed);
    const by = context.caller?.accountId ?? refuseUnauthenticated();
    const id = v7();
    const { plain, encrypted: secret } = newSecret(config, id);
    // Numbers all committed changes first, so that the webhook receives only later ones.
    await sequenceChanges(db);
    const made = await db
      .transaction(async (tx) => {
        const isAdded = await addWebhook(tx, { id, ...values, secret, by }, mostWebhooks);
        return isAdded ? findWebhook(tx, id) : null;
      })
      .catch((error: unknown) => {
        // The account was deleted after its token was checked.
        if (foreignKeyViolation(error) !== null) refuseUnauthenticated();
        throw error;
      });
    if (made === null)
      refuse("REFUSED", { error: `There are ${mostWebhooks} webhooks already: delete one first` });
    return { status: 201, json: JSON.stringify({ ...made, secret: secretText(plain) }) };
  }

  async function change(context: Context): Promise<Answer> {
    await requireFreshSession(context);
    const sent = await readSent(context);
    const id = idOf(context);
    const { db } = context.services;
    if ((await findWebhook(db, id)) === null) refuse("NOT_FOUND");
    const changes = await acceptWebhook(sent, shapes.changed, allowed);
    if (changes.disabled === false) await sequenceChanges(db);
    const changed = await db.transaction(async (tx) => {
      if ((await lockWebhook(tx, id)) === null) refuse("NOT_FOUND");
      await changeWebhook(tx, id, changes);
      return findWebhook(tx, id);
    });
    wake();
    return { status: 200, json: JSON.stringify(changed) };
  }
}

async function list({ query, services: { db } }: Context): Promise<Answer> {
  new Parameters(query).finish();
  return { status: 200, json: JSON.stringify({ data: await listWebhooks(db) }) };
}

async function get(context: Context): Promise<Answer> {
  const found = await findWebhook(context.services.db, idOf(context));
  return { status: 200, json: JSON.stringify(found ?? refuse("NOT_FOUND")) };
}

async function remove(context: Context): Promise<Answer> {
  await requireFreshSession(context);
  if (!(await deleteWebhook(context.services.db, idOf(context)))) refuse("NOT_FOUND");
  return { status: 204, json: null };
}

async function renewSecret(context: Context): Promise<Answer> {
  await requireFreshSession(context);
  const { config, db } = context.services;
  const id = idOf(context);
  const { plain, encrypted } = newSecret(config, id);
  if (!(await replaceSecret(db, id, encrypted))) refuse("NOT_FOUND");
  return { status: 200, json: JSON.stringify({ secret: secretText(plain) }) };
}
