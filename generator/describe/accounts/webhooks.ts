import type { Schema } from "../../kind/kind.js";
import type { Model } from "../../model/model.js";
import {
  boolean,
  cursorPage,
  emptyAnswer,
  integer,
  jsonAnswer,
  jsonBody,
  listSchema,
  nullable,
  type Operation,
  objectSchema,
  schemaRef,
  string,
  timestamp,
  uuid,
} from "../operation.js";
import { parameterRef, query } from "../resource/parameters.js";

const states: Schema = { type: "string", enum: ["waiting", "succeeded", "failed"] };

const events: Schema = {
  type: "array",
  minItems: 1,
  maxItems: 300,
  items: { type: "string", pattern: "^.+\\.(created|updated|deleted|\\*)$" },
};
const address: Schema = { type: "string", format: "uri", maxLength: 2000 };

const webhook = { id: uuid, url: string, events, disabled: boolean, createdAt: timestamp };

const delivery = {
  id: uuid,
  type: string,
  state: states,
  attempts: integer,
  status: nullable(integer),
  at: timestamp,
  nextAt: nullable(timestamp),
};

/** Returns the schemas of an app that logs changes of resources. */
export function webhookSchemas(model: Model): Readonly<Record<string, Schema>> {
  if (!hasChanges(model)) return {};
  return { Webhook: objectSchema(webhook), WebhookDelivery: objectSchema(delivery) };
}

function hasChanges({ resources }: Model): boolean {
  return resources.some(({ changes }) => changes !== null);
}

const path = "/_service/webhooks";
const onOne = [parameterRef("Id")];
const onDelivery = [
  ...onOne,
  { name: "delivery", in: "path", required: true, schema: uuid },
] as const;

/** The operations on webhooks: 404 without `auth.operators`. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a table of operations
export function webhookOperations(model: Model, tag: string): readonly Operation[] {
  if (!hasChanges(model)) return [];
  return [
    {
      id: "listServiceWebhooks",
      method: "get",
      path,
      tag,
      summary: "The webhooks, newest first",
      answers: { 200: jsonAnswer("The webhooks.", listSchema(schemaRef("Webhook"))) },
      refusals: ["BadQuery", "Forbidden", "NotFound"],
    },
    {
      id: "createServiceWebhook",
      method: "post",
      path,
      tag,
      summary: "Webhook: create",
      body: jsonBody(objectSchema({ url: address, events, disabled: boolean }, ["disabled"])),
      example: "createServiceWebhook",
      answers: {
        201: jsonAnswer(
          "The webhook, with the secret that signs its deliveries, which is shown once.",
          objectSchema({ ...webhook, secret: string }),
        ),
      },
      refusals: ["BadBody", "NotFresh", "NotFound", "TooMany", "MediaType", "Invalid"],
    },
    {
      id: "getServiceWebhook",
      method: "get",
      path: `${path}/{id}`,
      tag,
      summary: "Webhook: read",
      parameters: onOne,
      answers: { 200: jsonAnswer("The webhook.", schemaRef("Webhook")) },
      refusals: ["Forbidden", "NotFound"],
    },
    {
      id: "updateServiceWebhook",
      method: "patch",
      path: `${path}/{id}`,
      tag,
      summary: "Webhook: change",
      parameters: onOne,
      body: jsonBody(
        objectSchema({ url: address, events, disabled: boolean }, ["url", "events", "disabled"]),
      ),
      example: "updateServiceWebhook",
      answers: { 200: jsonAnswer("The webhook.", schemaRef("Webhook")) },
      refusals: ["BadBody", "NotFresh", "NotFound", "MediaType", "Invalid"],
    },
    {
      id: "deleteServiceWebhook",
      method: "delete",
      path: `${path}/{id}`,
      tag,
      summary: "Webhook: delete, with its deliveries",
      parameters: onOne,
      answers: { 204: emptyAnswer("Done.") },
      refusals: ["NotFresh", "NotFound"],
    },
    {
      id: "renewServiceWebhookSecret",
      method: "post",
      path: `${path}/{id}/secret`,
      tag,
      summary: "Webhook: replace its secret",
      parameters: onOne,
      answers: {
        200: jsonAnswer(
          "The secret, which is shown once. Deliveries are also signed with the previous one for 24 hours.",
          objectSchema({ secret: string }),
        ),
      },
      refusals: ["NotFresh", "NotFound"],
    },
    {
      id: "testServiceWebhook",
      method: "post",
      path: `${path}/{id}/test`,
      tag,
      summary: "Webhook: send a test delivery",
      parameters: onOne,
      answers: { 202: emptyAnswer("The delivery is queued.") },
      refusals: ["NotFresh", "NotFound", "Refused"],
    },
    ...deliveryOperations(tag),
  ];
}

function deliveryOperations(tag: string): readonly Operation[] {
  return [
    {
      id: "listServiceWebhookDeliveries",
      method: "get",
      path: `${path}/{id}/deliveries`,
      tag,
      summary: "Deliveries of a webhook in the last 30 days, newest first",
      parameters: [
        ...onOne,
        parameterRef("Cursor"),
        parameterRef("PerPage"),
        query("filter[state]", states),
      ],
      answers: {
        200: jsonAnswer("The page.", cursorPage(schemaRef("WebhookDelivery"))),
      },
      refusals: ["BadQuery", "Forbidden", "NotFound"],
    },
    {
      id: "getServiceWebhookDelivery",
      method: "get",
      path: `${path}/{id}/deliveries/{delivery}`,
      tag,
      summary: "Delivery: read, with the body that is sent",
      parameters: onDelivery,
      answers: {
        200: jsonAnswer(
          "The delivery; `error` is the reason why the last attempt failed.",
          objectSchema({ ...delivery, error: nullable(string), body: string }),
        ),
      },
      refusals: ["Forbidden", "NotFound"],
    },
    {
      id: "retryServiceWebhookDelivery",
      method: "post",
      path: `${path}/{id}/deliveries/{delivery}/retry`,
      tag,
      summary: "Delivery: send again, with a new set of attempts",
      parameters: onDelivery,
      answers: { 202: emptyAnswer("The delivery is queued.") },
      refusals: ["NotFresh", "NotFound", "Refused"],
    },
  ];
}
