import type { Answer, Context } from "../../../http/index.js";
import { readBody } from "../../input.js";
import { hashToken, newToken } from "../../token/token.js";
import { whileAvailable } from "./available.js";
import { stateSecrets } from "./binding.js";
import { redirectUriOf, startShape } from "./input.js";
import { openProtocol } from "./protocol/open.js";
import { stateMinutes } from "./rules.js";
import { insertState } from "./store.js";

/** `POST /auth/provider`: returns the authorization URL. */
export async function start(context: Context): Promise<Answer> {
  const { services } = context;
  const { config, clock, db } = services;
  const { provider, challenge, returnTo } = await readBody(context, startShape(config));
  const { askMetadata, authorizationUrl } = await openProtocol();
  const { token: state, hash: stateHash } = newToken();
  const secrets = stateSecrets(config, state);
  const source = { provider, clock };
  const url = await whileAvailable(services, provider, async () =>
    authorizationUrl(source, await askMetadata(source), {
      redirectUri: redirectUriOf(config),
      state,
      ...secrets,
    }),
  );
  await insertState(db, {
    stateHash,
    provider: provider.name,
    nonceHash: hashToken(secrets.nonce),
    challenge,
    returnTo,
    expiresAt: new Date(clock.now().getTime() + stateMinutes * 60_000),
  });
  return { status: 200, json: JSON.stringify({ url }) };
}
