import { createHash, randomBytes } from "node:crypto";
import { expect } from "vitest";
import { type Client, client, type Reply } from "../http/client.js";
import { callback } from "./documents.js";

/** What an app asks for; what is undefined is left out. */
export type Asked = Readonly<Record<string, string | undefined>>;

/** A secret of an app, and its S256. */
export function newVerifier(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** The query string of a request that is in order. */
export function queryOf(clientId: string, challenge: string, more: Asked = {}): string {
  const asked: Asked = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: callback,
    scope: "read write",
    state: "xyz",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...more,
  };
  const there = Object.entries(asked).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  return new URLSearchParams(there).toString();
}

/** The address to which the browser is redirected after the decision. */
export async function decide(
  person: Client,
  query: string,
  decision: object = { allow: true },
): Promise<URL> {
  const reply = await person.post<{ redirectTo: string }>("/oauth/authorize", {
    query,
    ...decision,
  });
  expect(reply.status, reply.text).toBe(200);
  return new URL(reply.body.redirectTo);
}

export interface Tokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

/** What the token endpoint answers; an error has `error`. */
export type TokenReply = Reply<Tokens & { readonly error?: string }>;

/** Sends a form as an app does. */
export function sendForm(url: string, path: string, form: Asked): Promise<TokenReply> {
  const there = Object.entries(form).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  return sendText(url, path, new URLSearchParams(there).toString());
}

export function sendText(url: string, path: string, text: string): Promise<TokenReply> {
  return client(url, null).send("POST", path, {
    text,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
}

/** A new authorization code, and the form fields that exchange it. */
export async function newCode(
  person: Client,
  clientId: string,
  more: Asked = {},
): Promise<Asked & { readonly code: string; readonly code_verifier: string }> {
  const { verifier, challenge } = newVerifier();
  const back = await decide(person, queryOf(clientId, challenge, more));
  const code = back.searchParams.get("code");
  return {
    grant_type: "authorization_code",
    code: code ?? expect.unreachable(back.href),
    redirect_uri: more.redirect_uri ?? callback,
    client_id: clientId,
    code_verifier: verifier,
  };
}

/** Connects an app to an account. */
export async function connect(
  url: string,
  person: Client,
  clientId: string,
  more: Asked = {},
): Promise<Tokens> {
  const reply = await sendForm(url, "/oauth/token", await newCode(person, clientId, more));
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

/** Refreshes the tokens of an app. */
export function refresh(url: string, clientId: string, token: string): Promise<TokenReply> {
  return sendForm(url, "/oauth/token", {
    grant_type: "refresh_token",
    refresh_token: token,
    client_id: clientId,
  });
}
