import type { ProviderSettings } from "../../../config/index.js";
import { refuse } from "../../../errors/index.js";
import type { Answer, Context } from "../../../http/index.js";
import { transactionOfOperators } from "../../account/last-operator.js";
import { logRefused } from "../../identity/arrival.js";
import { readBody } from "../../input.js";
import { deviceOf } from "../../session/device.js";
import { hashToken } from "../../token/token.js";
import { whileAvailable } from "./available.js";
import { challengeOf } from "./binding.js";
import { idTokenShape, verifyShape } from "./input.js";
import { type Identified, Overtaken, signInAs } from "./link.js";
import { openProtocol } from "./protocol/open.js";
import { profileOf } from "./protocol/profile.js";
import { AnswerRefused } from "./protocol/refused.js";
import type { Refused } from "./rules.js";
import { spendTicket, takeToken } from "./store.js";

/** Spends the proof of a sign-in and returns its person; null if it cannot be spent. */
type Spend = (tx: Parameters<typeof spendTicket>[0]) => Promise<Identified | null>;

/** `POST /auth/provider/verify`: signs in with a ticket, on the device that began. */
export async function verify(context: Context): Promise<Answer> {
  const { config, clock } = context.services;
  const { ticket, secret, deviceName } = await readBody(context, verifyShape);
  const device = deviceOf(context, deviceName);
  return signIn(context, async (tx) => {
    const spent = await spendTicket(tx, {
      ticketHash: hashToken(ticket),
      challenge: challengeOf(secret),
      now: clock.now(),
    });
    const provider = config.auth.providers.find(({ name }) => name === spent?.provider);
    if (spent === null || provider === undefined) return null;
    return { provider, profile: spent.profile, device };
  });
}

/** `POST /auth/provider/id-token`: signs in with an ID token that a native app received from the provider. */
export async function signInWithIdToken(context: Context): Promise<Answer> {
  const { services } = context;
  const { clock, config } = services;
  const { provider, idToken, nonce, deviceName } = await readBody(context, idTokenShape(config));
  const device = deviceOf(context, deviceName);
  if (provider.kind === "github") {
    logRefused(services, { provider: provider.name, reason: "GitHub has no ID tokens" });
    return refuseToken();
  }
  const { judgeIdToken, maxSkew, recentMetadata } = await openProtocol();
  const source = { provider, clock };
  const judged = await whileAvailable(services, provider, () =>
    unlessRefused(services, provider, async () => {
      const claims = await judgeIdToken(source, await recentMetadata(source), { idToken, nonce });
      return { claims, profile: profileOf(provider, claims) };
    }),
  );
  if (judged === null) return refuseToken();
  const { claims, profile } = judged;
  return signIn(context, async (tx) => {
    if (await takeToken(tx, { token: idToken, lastSecond: claims.exp + maxSkew })) {
      return { provider, profile, device };
    }
    logRefused(services, { provider: provider.name, reason: "the ID token was used before" });
    return null;
  });
}

/** Returns null for a refusal, and logs the reason. */
async function unlessRefused<T>(
  services: Context["services"],
  { name }: Pick<ProviderSettings, "name">,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AnswerRefused)) throw error;
    logRefused(services, { provider: name, reason: error.message });
    return null;
  }
}

interface Outcome {
  readonly provider: Pick<ProviderSettings, "name" | "roles">;
  readonly answer: Answer | Refused;
  /** Whether the provider is configured to set roles, but returned none. */
  readonly lacksRole?: boolean;
}

/** Spends a proof and signs in, in one transaction. The proof is spent even if the sign-in is refused. */
async function signIn(context: Context, spend: Spend): Promise<Answer> {
  const { services } = context;
  const once = () =>
    transactionOfOperators(services.db, async (tx): Promise<Outcome | null> => {
      const identified = await spend(tx);
      if (identified === null) return null;
      const { provider, profile } = identified;
      const answer = await signInAs({ ...services, db: tx }, identified);
      return { provider, answer, lacksRole: provider.roles !== null && profile.role === undefined };
    });
  // If two first sign-ins run concurrently, the other one has created the account before the retry.
  const outcome = await unlessOvertaken(once, () =>
    unlessOvertaken(once, ({ provider }) => ({
      provider,
      answer: { refused: "account changed meanwhile" },
    })),
  );
  return outcome === null ? refuseToken() : answerOf(services, outcome);
}

/** The response to an outcome. Reasons that are hidden from the caller are logged. */
function answerOf(
  { log }: Context["services"],
  { provider: { name, roles }, answer, lacksRole }: Outcome,
): Answer {
  if ("refused" in answer) {
    logRefused({ log }, { provider: name, reason: answer.refused });
    return refuse("ACCOUNT_NOT_LINKED");
  }
  if (lacksRole === true) {
    const about = { provider: name, claim: roles?.claim };
    log.warn(about, "a sign-in lacks the claim with roles: the role stays the same");
  }
  return answer;
}

async function unlessOvertaken<T>(
  work: () => Promise<T>,
  otherwise: (overtaken: Overtaken) => Promise<T> | T,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
    return otherwise(error);
  }
}

function refuseToken(): never {
  return refuse("INVALID_TOKEN", { error: "The sign-in is not valid or has expired" });
}
