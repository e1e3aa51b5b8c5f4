import { refuse } from "../../../errors/index.js";
import type { Answer, Context } from "../../../http/index.js";
import { readBody } from "../../input.js";
import { deviceOf } from "../../session/device.js";
import { hashToken } from "../../token/token.js";
import { whileAvailable } from "./available.js";
import { challengeOf } from "./binding.js";
import { idTokenShape, verifyShape } from "./input.js";
import { type Identified, Overtaken, signInAs } from "./link.js";
import { openProtocol } from "./protocol/open.js";
import { profileOf } from "./protocol/profile.js";
import { spendTicket, takeToken } from "./store.js";

/**
 * How much longer than it is accepted an ID token is remembered: PostgreSQL's clock, which says when it is forgotten, may
 * be ahead of the one that accepts it.
 */
const keptSeconds = 3600;

/** What is spent by a sign-in, and for whom; null when it cannot be spent. */
type Spend = (tx: Parameters<typeof spendTicket>[0]) => Promise<Identified | null>;

/** `POST /auth/provider/verify`: signs in with a ticket, for whoever began. */
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

/** `POST /auth/provider/id-token`: signs in with an ID token that a native app has from the provider. */
export async function signInWithIdToken(context: Context): Promise<Answer> {
  const { services } = context;
  const { clock, config } = services;
  const { provider, idToken, nonce, deviceName } = await readBody(context, idTokenShape(config));
  const device = deviceOf(context, deviceName);
  // GitHub has none.
  if (provider.kind === "github") return refuseToken();
  const { judgeIdToken, maxSkew, recentMetadata } = await openProtocol();
  const asked = { provider, clock };
  const claims = await whileAvailable(services, provider, async () =>
    judgeIdToken(asked, await recentMetadata(asked), { idToken, nonce }),
  );
  const profile = claims && profileOf(provider, claims);
  if (claims === null || profile === null) return refuseToken();
  // Without the signature, of which some algorithms have several for the same words.
  const signed = idToken.slice(0, idToken.lastIndexOf("."));
  const expiresAt = new Date((claims.exp + maxSkew + keptSeconds) * 1000);
  return signIn(context, async (tx) =>
    (await takeToken(tx, { tokenHash: hashToken(signed), expiresAt }))
      ? { provider, profile, device }
      : null,
  );
}

/** Spends a proof and signs in, in one transaction. The proof is spent even if nobody is signed in. */
async function signIn(context: Context, spend: Spend): Promise<Answer> {
  const { services } = context;
  const once = () =>
    services.db.transaction(async (tx): Promise<Answer | "invalid" | "refused"> => {
      const identified = await spend(tx);
      if (identified === null) return "invalid";
      return (await signInAs({ ...services, db: tx }, identified)) ?? "refused";
    });
  // Where two sign-ins of somebody new meet, the other one has made the account by the second time.
  const answer = await unlessOvertaken(once, () => unlessOvertaken(once, () => "refused"));
  if (answer === "invalid") return refuseToken();
  return answer === "refused" ? refuse("ACCOUNT_NOT_LINKED") : answer;
}

async function unlessOvertaken<T>(
  work: () => Promise<T>,
  otherwise: () => Promise<T> | T,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
    return otherwise();
  }
}

function refuseToken(): never {
  return refuse("INVALID_TOKEN", { error: "The sign-in is not valid or has expired" });
}
