import { z } from "zod";
import { refuse } from "../../errors/index.js";
import type { Answer, Context } from "../../http/index.js";
import { readBody, text } from "../input.js";
import { pruneExpired } from "../pruning.js";
import { findCallerAccount, requireCaller } from "../session/caller.js";
import { newToken } from "../token/token.js";
import { type AppRequest, answerTo, readRequest } from "./request.js";
import { codeSeconds, narrowed, redirectHost } from "./rules.js";
import { insertCode } from "./store.js";

/** Maximum number of characters in the query string. */
const maxQuery = 8_192;

const shape = z.strictObject({
  query: text.max(maxQuery, { error: `Must have at most ${maxQuery} characters` }),
  /** The caller's decision; omitted to read the request without deciding. */
  allow: z.boolean({ error: "Must be true or false" }).optional(),
  /** The granted scope, which cannot exceed the scope that the app requests. */
  scope: z
    .enum(["read", "read write"], { error: 'Must be "read" or "read write"' })
    .default("read write"),
});

/**
 * `POST /oauth/authorize`: returns what an app requests from the caller, or processes the caller's decision. Service
 * tokens and apps are refused earlier.
 */
export async function authorize(context: Context): Promise<Answer> {
  const { services } = context;
  const { query, allow, scope } = await readBody(context, shape);
  const request = await readRequest(services, query);
  if ("redirectTo" in request) return answer(request);
  if (allow === undefined) return answer(shown(request));
  if (!allow) return answer({ redirectTo: refusal(context, request) });
  const granted = { ...request, scope: narrowed(request.scope, scope) };
  return answer({ redirectTo: await codeFor(context, granted) });
}

function answer(body: object): Answer {
  return { status: 200, json: JSON.stringify(body) };
}

function shown({ clientId, host, name, redirectUri, scope, resource }: AppRequest) {
  const client = { id: clientId, host, name };
  return { client, redirectHost: redirectHost(redirectUri), scope, resource };
}

function refusal({ services }: Context, request: AppRequest): string {
  return answerTo(services.config, request, { error: "access_denied" });
}

async function codeFor(context: Context, request: AppRequest): Promise<string> {
  const { db, clock, config } = context.services;
  const account = await findCallerAccount(context);
  if (account.disabled) refuse("FORBIDDEN");
  const { token: code, hash: codeHash } = newToken();
  await insertCode(db, {
    ...request,
    codeHash,
    accountId: account.id,
    sessionId: requireCaller(context).sessionId,
    generation: account.generation,
    name: request.name ?? request.host,
    expiresAt: new Date(clock.now().getTime() + codeSeconds * 1000),
  });
  await pruneExpired(db, "service.app_codes");
  return answerTo(config, request, { code });
}
