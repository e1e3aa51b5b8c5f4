import { Buffer } from "node:buffer";
import type { ProviderSettings } from "../../../config/index.js";
import { refuse } from "../../../errors/index.js";
import { type Answer, type Context, readBytes } from "../../../http/index.js";
import { hashToken, newToken } from "../../token/token.js";
import { logUnavailable } from "./available.js";
import { knownStateSecrets } from "./binding.js";
import { redirectUriOf } from "./input.js";
import { isUnavailable } from "./protocol/ask.js";
import { openProtocol } from "./protocol/open.js";
import type { Profile } from "./protocol/profile.js";
import { ticketSeconds, withParameter } from "./rules.js";
import { insertTicket, type PendingState, spendState } from "./store.js";

/** Bytes of a form; Apple's has a code and a name. */
const maxFormBytes = 16_384;

/** What the page that began the sign-in gets in place of a ticket. */
type Failure = "ACCESS_DENIED" | "PROVIDER_UNAVAILABLE" | "INVALID_TOKEN";

type Outcome = { readonly profile: Profile } | { readonly failure: Failure };

/** `GET /auth/provider/callback`. */
export async function callbackByQuery(context: Context): Promise<Answer> {
  // Whatever looks at a link before a person does must not spend it.
  if (context.request.method === "HEAD") return { status: 204, json: null };
  return callback(context, new URLSearchParams(context.query));
}

/** `POST /auth/provider/callback`: the same as a form, which Apple sends. */
export async function callbackByForm(context: Context): Promise<Answer> {
  const type = context.request.headers["content-type"] ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    refuse("UNSUPPORTED_MEDIA_TYPE", { error: "Send application/x-www-form-urlencoded" });
  }
  const body = await readBytes(context, maxFormBytes);
  return callback(context, new URLSearchParams(body.toString("utf8")));
}

/** Sends the browser back to the page that began, with a ticket or what went wrong. Any answer spends the state. */
async function callback(context: Context, sent: URLSearchParams): Promise<Answer> {
  const { services } = context;
  const { db, clock, config } = services;
  const state = once(sent, "state") ?? "";
  const now = clock.now();
  const pending = await spendState(db, { stateHash: hashToken(state), now });
  if (pending === null) {
    return refuse("INVALID_TOKEN", { error: "The sign-in is not valid or has expired" });
  }
  const provider = config.auth.providers.find(({ name }) => name === pending.provider);
  const outcome: Outcome =
    provider === undefined
      ? { failure: "INVALID_TOKEN" }
      : await outcomeOf(context, provider, { pending, state, sent });
  const { returnTo, challenge } = pending;
  if ("failure" in outcome) return goTo(withParameter(returnTo, "error", outcome.failure));
  const { token, hash: ticketHash } = newToken();
  await insertTicket(db, {
    ticketHash,
    provider: pending.provider,
    challenge,
    profile: outcome.profile,
    expiresAt: new Date(clock.now().getTime() + ticketSeconds * 1000),
  });
  return goTo(withParameter(returnTo, "ticket", token));
}

/** What came of a sign-in at the provider. */
async function outcomeOf(
  { services }: Context,
  provider: ProviderSettings,
  {
    pending,
    state,
    sent,
  }: {
    readonly pending: PendingState;
    readonly state: string;
    readonly sent: URLSearchParams;
  },
): Promise<Outcome> {
  const { config, clock, log } = services;
  if (sent.has("error")) return { failure: "ACCESS_DENIED" };
  const code = once(sent, "code");
  const secrets = knownStateSecrets(config, state, Buffer.from(pending.nonceHash));
  const isPlain = !sent.has("iss") || once(sent, "iss") !== null;
  if (code === null || secrets === null || !isPlain) return { failure: "INVALID_TOKEN" };
  const { exchange } = await openProtocol();
  try {
    const profile = await exchange(
      { provider, clock },
      { code, iss: once(sent, "iss"), user: once(sent, "user") },
      { ...secrets, state, redirectUri: redirectUriOf(config) },
    );
    if (profile === null) return { failure: "INVALID_TOKEN" };
    return { profile };
  } catch (error) {
    if (isUnavailable(error)) {
      logUnavailable({ log }, provider, error);
      return { failure: "PROVIDER_UNAVAILABLE" };
    }
    if (!isRefusal(error)) throw error;
    // What the answer holds stays out of the log.
    log.warn({ provider: provider.name, reason: codeOf(error) }, "a provider's answer was refused");
    return { failure: "INVALID_TOKEN" };
  }
}

/** Whether the library refused what a provider answered: each of its errors has a code, or the error of a body. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && ("code" in error || error.name === "ClientError");
}

/** The provider's error code, such as `invalid_client`, or the library's. */
function codeOf(error: Error): string {
  if ("error" in error && typeof error.error === "string") return error.error.slice(0, 100);
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

/** The value of a parameter that was sent once; null for none and for several. */
function once(sent: URLSearchParams, name: string): string | null {
  const values = sent.getAll(name);
  return values.length === 1 ? (values[0] ?? null) : null;
}

/** 303, so that a form is not sent again. */
function goTo(location: string): Answer {
  return { status: 303, json: null, headers: { location } };
}
