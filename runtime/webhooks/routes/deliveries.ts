import { requireFreshSession } from "../../auth/index.js";
import { refuse } from "../../errors/index.js";
import { type Answer, type Context, type HandledRoute, Parameters } from "../../http/index.js";
import { openToken, sealToken } from "../../secret/index.js";
import {
  addDeliveries,
  type DeliveryState,
  deliveryStates,
  findDelivery,
  isDeliveryState,
  listDeliveries,
  retryDelivery,
} from "../store/deliveries.js";
import { findWebhook, lockWebhook, type ShownWebhook } from "../store/webhooks.js";
import { idOf } from "./input.js";

/** The routes for the deliveries of a webhook. `wake` is called when there is a delivery to send. */
export function deliveryRoutes(
  access: readonly string[],
  webhooks: string,
  wake: () => void,
): readonly HandledRoute[] {
  const path = `${webhooks}/:id/deliveries`;
  return [
    { method: "GET", path, access, handle: list },
    { method: "GET", path: `${path}/:delivery`, access, handle: get },
    { method: "POST", path: `${path}/:delivery/retry`, access, handle: retry },
    { method: "POST", path: `${webhooks}/:id/test`, access, handle: sendTest },
  ];

  async function retry(context: Context): Promise<Answer> {
    await requireFreshSession(context);
    const name = { webhookId: idOf(context), id: idOf(context, "delivery") };
    const { db } = context.services;
    await db.transaction(async (tx) => {
      const webhook = await lockWebhook(tx, name.webhookId);
      if (!(await retryDelivery(tx, name))) refuse("NOT_FOUND");
      refuseDisabled(webhook);
    });
    wake();
    return { status: 202, json: null };
  }

  async function sendTest(context: Context): Promise<Answer> {
    await requireFreshSession(context);
    const { db, clock } = context.services;
    const webhookId = idOf(context);
    const body = JSON.stringify({ type: "test", timestamp: clock.now(), data: {} });
    await db.transaction(async (tx) => {
      refuseDisabled(await lockWebhook(tx, webhookId));
      await addDeliveries(tx, [{ webhookId, type: "test", recordId: null, body }]);
    });
    wake();
    return { status: 202, json: null };
  }
}

/** Refuses to retry a delivery of a disabled webhook, because it would wait until the webhook is enabled. */
function refuseDisabled(webhook: ShownWebhook | null): void {
  if (webhook === null) refuse("NOT_FOUND");
  if (webhook?.disabled === true)
    refuse("REFUSED", { error: "The webhook is disabled: enable it first" });
}

async function list(context: Context): Promise<Answer> {
  const { config, db } = context.services;
  const webhookId = idOf(context);
  const parameters = new Parameters(context.query);
  const perPage = parameters.takeInteger("perPage", { min: 1, max: 100, default: 25 });
  const state = readState(parameters);
  const cursor = parameters.take("cursor") ?? "";
  const about = `deliveries:${webhookId}:${state}`;
  const before = cursor === "" ? null : openToken(config, cursor, about);
  if (cursor !== "" && before === null) {
    parameters.reject("cursor", "Must be the meta.next of a page with this filter");
  }
  parameters.finish();
  if ((await findWebhook(db, webhookId)) === null) refuse("NOT_FOUND");
  const found = await listDeliveries(db, webhookId, { state, before, limit: perPage + 1 });
  const shown = found.slice(0, perPage);
  const last = found.length > perPage ? shown.at(-1) : undefined;
  const next = last === undefined ? null : sealToken(config, last.seq, about);
  const data = shown.map(({ seq, ...delivery }) => delivery);
  return { status: 200, json: JSON.stringify({ data, meta: { perPage, next } }) };
}

function readState(parameters: Parameters): DeliveryState | null {
  let state: DeliveryState | null = null;
  for (const { param, field, operator, value } of parameters.takeFilters()) {
    if (operator !== null || field !== "state") parameters.reject(param, "Unknown parameter");
    else if (isDeliveryState(value)) state = value;
    else parameters.reject(param, `Must be one of ${deliveryStates.join(", ")}`);
  }
  return state;
}

async function get(context: Context): Promise<Answer> {
  const name = { webhookId: idOf(context), id: idOf(context, "delivery") };
  const found = await findDelivery(context.services.db, name);
  return { status: 200, json: JSON.stringify(found ?? refuse("NOT_FOUND")) };
}
