import { Buffer } from "node:buffer";
import type { ProviderSettings } from "../../../config/index.js";
import { refuse } from "../../../errors/index.js";
import type { Answer, Context } from "../../../http/index.js";
import { once, readForm } from "../../form.js";
import { logRefused } from "../../identity/arrival.js";
import { hashToken, newToken } from "../../token/token.js";
import { logUnavailable } from "./available.js";
import { knownStateSecrets } from "./binding.js";
import { redirectUriOf } from "./input.js";
import { isUnavailable } from "./protocol/ask.js";
import { openProtocol } from "./protocol/open.js";
import type { Profile } from "./protocol/profile.js";
import { AnswerRefused, knownCode } from "./protocol/refused.js";
import { ticketSeconds, withParameter } from "./rules.js";
import { insertTicket, type PendingState, spendState } from "./store.js";

/** The error that the page that began the sign-in receives in place of a ticket. */
type Failure = "ACCESS_DENIED" | "PROVIDER_UNAVAILABLE" | "INVALID_TOKEN";

type Outcome =
  | { readonly profile: Profile }
  /** `reason` is for the log; omitted if it is already logged. */
  | { readonly failure: Failure; readonly reason?: string };

/** `GET /auth/provider/callback`. */
export async function callbackByQuery(context: Context): Promise<Answer> {
  // Programs that preview links before a person opens them must not spend the state.
  if (context.request.method === "HEAD") return { status: 204, json: null };
  return callback(context, new URLSearchParams(context.query));
}

/** `POST /auth/provider/callback`: the same for a form post, which Apple sends. */
export async function callbackByForm(context: Context): Promise<Answer> {
  const sent = await readForm(context);
  if (sent === null) {
    refuse("UNSUPPORTED_MEDIA_TYPE", { error: "Send application/x-www-form-urlencoded" });
  }
  return callback(context, sent);
}

/**
 * Redirects the browser to the page that began the sign-in, with a ticket or an error. Any response spends the state.
 */
async function callback(context: Context, sent: URLSearchParams): Promise<Answer> {
  const { services } = context;
  const { db, clock, config, log } = services;
  const state = once(sent, "state") ?? "";
  const now = clock.now();
  const pending = await spendState(db, { stateHash: hashToken(state), now });
  if (pending === null) {
    return refuse("INVALID_TOKEN", { error: "The sign-in is not valid or has expired" });
  }
  const provider = config.auth.providers.find(({ name }) => name === pending.provider);
  const outcome: Outcome =
    provider === undefined
      ? { failure: "INVALID_TOKEN", reason: "no longer configured" }
      : await outcomeOf(context, provider, { pending, state, sent });
  const { returnTo, challenge } = pending;
  if ("failure" in outcome) {
    const { failure, reason } = outcome;
    if (reason !== undefined) logRefused({ log }, { provider: pending.provider, reason });
    return goTo(withParameter(returnTo, "error", failure));
  }
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
  if (sent.has("error"))
    return { failure: "ACCESS_DENIED", reason: knownCode(once(sent, "error")) };
  const code = once(sent, "code");
  const secrets = knownStateSecrets(config, state, Buffer.from(pending.nonceHash));
  const isPlain = !sent.has("iss") || once(sent, "iss") !== null;
  if (code === null || secrets === null || !isPlain) {
    return { failure: "INVALID_TOKEN", reason: "the callback is malformed" };
  }
  const { exchange } = await openProtocol();
  try {
    const profile = await exchange(
      { provider, clock },
      { code, iss: once(sent, "iss"), user: once(sent, "user") },
      { ...secrets, state, redirectUri: redirectUriOf(config) },
    );
    return { profile };
  } catch (error) {
    if (isUnavailable(error)) {
      logUnavailable({ log }, provider, error);
      return { failure: "PROVIDER_UNAVAILABLE" };
    }
    const reason = refusalOf(error);
    if (reason === null) throw error;
    return { failure: "INVALID_TOKEN", reason };
  }
}

/**
 * The reason for refusing a provider's response: the message of an `AnswerRefused`, the provider's error code, or the
 * code of the library's error. Null for any other error. The content of the response stays out of the log.
 */
function refusalOf(error: unknown): string | null {
  if (error instanceof AnswerRefused) return error.message;
  if (!(error instanceof Error)) return null;
  if ("error" in error) return knownCode(error.error);
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.name === "ClientError" ? error.name : null;
}

/** 303, so that the browser does not submit the form again. */
function goTo(location: string): Answer {
  return { status: 303, json: null, headers: { location } };
}
