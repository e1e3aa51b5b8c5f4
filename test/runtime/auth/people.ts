import { expect } from "vitest";
import { type Client, client } from "../../support/client.js";
import { type AuthServer, rightPassword } from "./server.js";

/** A device that somebody signed in with. */
export interface SignedInDevice {
  readonly caller: Client;
  readonly token: string;
  readonly sessionId: string;
}

/** Signs somebody in with their password; counts as a try. */
export async function signInWith(
  { url }: Pick<AuthServer, "url">,
  email: string,
  { password = rightPassword, deviceName }: SignInWords = {},
): Promise<SignedInDevice> {
  const body = { email, password, deviceName };
  const reply = await client(url, null).post<{ token: string }>("/auth/token", body);
  expect(reply.status, reply.text).toBe(201);
  const { token } = reply.body;
  const caller = client(url, token);
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
