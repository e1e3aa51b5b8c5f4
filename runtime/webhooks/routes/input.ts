import { z } from "zod";
import { accept } from "../../auth/index.js";
import { addressesOf, problemOf } from "../../dial/index.js";
import { refuse } from "../../errors/index.js";
import { type Context, type JsonObject, readJson } from "../../http/index.js";
import type { IpRange } from "../../values/addresses/ip-range.js";
import { isUuid } from "../../values/uuid.js";
import type { WebhookChange } from "../store/webhooks.js";

/** Maximum number of characters of a URL. */
const maxUrlLength = 2_000;
const maxBodyBytes = 64 * 1024;
const maxEvents = 300;

/** The actions of an event, besides `*`. */
const actions = ["created", "updated", "deleted"];

const url = z
  .string({ error: "Must be text" })
  .max(maxUrlLength, { error: `Must have at most ${maxUrlLength} characters` })
  .refine(isCallable, {
    error: "Must be an https address without a user name, a password or a fragment",
  });

function isCallable(written: string): boolean {
  if (!URL.canParse(written)) return false;
  const { protocol, username, password, hash } = new URL(written);
  return ["https:", "http:"].includes(protocol) && username + password + hash === "";
}

const disabled = z.boolean({ error: "Must be true or false" });

/** The schemas of bodies, for an app that logs the changes of these resources. */
export function webhookShapes(resources: ReadonlySet<string>) {
  const event = z
    .string({ error: "Must be text" })
    .refine((written) => isEvent(written, resources), {
      error: `Must be <resource>.${[...actions, "*"].join(", .")} of a resource with changes`,
    });
  const events = z
    .array(event, { error: "Must be a list of events" })
    .min(1, { error: "Must name at least one event" })
    .max(maxEvents, { error: `Must name at most ${maxEvents} events` })
    .transform((list) => [...new Set(list)]);
  return {
    added: z.strictObject({ url, events, disabled: disabled.default(false) }),
    changed: z.strictObject({
      url: url.optional(),
      events: events.optional(),
      disabled: disabled.optional(),
    }),
  };
}

function isEvent(written: string, resources: ReadonlySet<string>): boolean {
  const at = written.lastIndexOf(".");
  return resources.has(written.slice(0, at)) && [...actions, "*"].includes(written.slice(at + 1));
}

/** Reads a body without validating its values. */
export function readSent(context: Context): Promise<JsonObject> {
  return readJson(context, maxBodyBytes);
}

/** Parses a body by its schema; refuses a URL that may not be called (422). */
export async function acceptWebhook<Shape extends z.ZodType<WebhookChange>>(
  sent: JsonObject,
  shape: Shape,
  allowed: readonly IpRange[],
): Promise<z.output<Shape>> {
  const values = accept(shape, sent);
  if (values.url !== undefined) await refuseUncallable(new URL(values.url), allowed);
  return values;
}

const messages = {
  private: "The host has a private address: list that in webhooks.allow of service.yaml",
  "not-https": "Must be an https address",
};

/** Timeout of a DNS lookup, in milliseconds. */
const resolveMs = 5_000;

/**
 * Refuses a URL that may not be called. A name that cannot be resolved now is accepted, because each attempt checks it
 * again.
 */
async function refuseUncallable(called: URL, allowed: readonly IpRange[]): Promise<void> {
  const late = new Promise<readonly []>((resolve) => {
    setTimeout(resolve, resolveMs, []).unref();
  });
  const addresses = await Promise.race([addressesOf(called).catch(() => []), late]);
  const problem = problemOf(called, addresses, allowed);
  if (problem === null) return;
  refuse("INVALID", { issues: [{ path: "url", message: messages[problem] }] });
}

/** The id in the path; 404 if it is not a UUID. */
export function idOf({ params }: Context, name = "id"): string {
  const written = params[name] ?? "";
  return isUuid(written) ? written.toLowerCase() : refuse("NOT_FOUND");
}
