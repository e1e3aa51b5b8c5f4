import { expect } from "vitest";
import { type Client, client, type Reply } from "../../../support/http/client.js";
import { type AuthServer, rightPassword } from "./server.js";

/** Somebody who is signed in. */
export interface Person {
  readonly email: string;
  readonly token: string;
  readonly caller: Client;
}

/** A new account, signed in with its password. */
export async function person(server: AuthServer, name: string): Promise<Person> {
  const email = await server.account(name);
  const { body } = await trySignIn(server, email);
  return { email, token: body.token, caller: client(server.url, body.token) };
}

/** What a sign-in is answered with: a token, or the others where a second step is needed. */
export interface SignInAnswer {
  readonly token: string;
  readonly challenge: string;
  readonly methods: readonly string[];
}

/** What a sign-in with the right password is answered with; counts as a try. */
export function trySignIn(
  { url }: Pick<AuthServer, "url">,
  email: string,
  more: object = {},
): Promise<Reply<SignInAnswer>> {
  const body = { email, password: rightPassword, ...more };
  return client(url, null).post("/auth/token", body);
}

/** A device that somebody signed in with. */
export interface SignedInDevice {
  readonly caller: Client;
  readonly token: string;
  readonly sessionId: string;
}

/** Signs somebody in with their password; counts as a try. */
export async function signInWith(
  server: Pick<AuthServer, "url">,
  email: string,
  words: SignInWords = {},
): Promise<SignedInDevice> {
  const reply = await trySignIn(server, email, words);
  expect(reply.status, reply.text).toBe(201);
  const { token } = reply.body;
  const caller = client(server.url, token);
  const me = await caller.get<{ session: { id: string } }>("/auth/me");
  return { caller, token, sessionId: me.body.session.id };
}

interface SignInWords {
  readonly password?: string;
  readonly deviceName?: string;
}

/** What each device's token is worth: 200 or 401. */
export async function statusesOf(devices: readonly SignedInDevice[]): Promise<readonly number[]> {
  const replies = await Promise.all(devices.map(({ caller }) => caller.get("/auth/me")));
  return replies.map(({ status }) => status);
}
