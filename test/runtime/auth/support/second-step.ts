import { createHash, createHmac, randomBytes } from "node:crypto";
import { type Client, client, type Reply } from "../../../support/http/client.js";
import { mailedCode } from "./mails.js";
import { type Person, person, trySignIn } from "./people.js";
import { type AuthServer, rightPassword } from "./server.js";

/** Somebody who is signed in, and whose second step is an authenticator. */
export interface AppPerson extends Person {
  readonly secret: string;
  readonly backupCodes: readonly string[];
}

/** What `POST /auth/two-factor/verify` answers, and what it refuses with. */
export interface Verified {
  readonly token: string;
  readonly code: string;
}

/** The present code is used up by confirming; the next one is not. */
export async function appPerson(server: AuthServer, name: string): Promise<AppPerson> {
  const someone = await person(server, name);
  return { ...someone, ...(await addApp(server, someone)) };
}

/** Sets an authenticator up for somebody. */
export async function addApp(
  server: AuthServer,
  { caller }: Person,
): Promise<Pick<AppPerson, "secret" | "backupCodes">> {
  const { secret } = await enableApp(caller);
  const code = totp(server, secret);
  const { body } = await caller.post<Confirmed>("/auth/two-factor/confirm", { code });
  return { secret, backupCodes: body.backupCodes };
}

/** Somebody whose second step is emailed codes. */
export async function emailPerson(server: AuthServer, name: string): Promise<Person & Confirmed> {
  const someone = await person(server, name);
  const body = { password: rightPassword, method: "email" };
  await someone.caller.post("/auth/two-factor/enable", body);
  const code = mailedCode(server, someone.email);
  const reply = await someone.caller.post<Confirmed>("/auth/two-factor/confirm", { code });
  return { ...someone, ...reply.body };
}

export interface Confirmed {
  readonly backupCodes: readonly string[];
}

export interface Invited {
  readonly method: string;
  readonly secret: string;
  readonly uri: string;
  readonly qrCode: string;
}

export async function enableApp(caller: Client): Promise<Invited> {
  const password = rightPassword;
  return (await caller.post<Invited>("/auth/two-factor/enable", { password })).body;
}

/** The challenge of a new sign-in with the password. */
export async function challenge(server: AuthServer, email: string): Promise<string> {
  return (await trySignIn(server, email)).body.challenge;
}

/** Stores a challenge like one that a sign-in by mail leaves, bypassing the API. */
export async function challengeByMail(
  server: AuthServer,
  email: string,
  proof: "magic-link" | "email-code",
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const expiresAt = new Date(server.services.clock.now().getTime() + 600_000);
  await server.services.db.query(
    `insert into service.challenges (token_hash, user_id, generation, proof, expires_at)
     select $1, id, generation, $2, $3
     from service.users
     where email = $4`,
    [createHash("sha256").update(token).digest(), proof, expiresAt, email],
  );
  return token;
}

export function verify(
  server: AuthServer,
  body: { readonly challenge: string; readonly method: string; readonly code: string },
): Promise<Reply<Verified>> {
  return client(server.url, null).post<Verified>("/auth/two-factor/verify", body);
}

export function send(server: AuthServer, challenge: string): Promise<Reply<Verified>> {
  return client(server.url, null).post<Verified>("/auth/two-factor/send", { challenge });
}

/** An authenticator of our own (RFC 6238), so many steps before or after the server's clock. */
export function totp(server: AuthServer, secret: string, stepsAway = 0): string {
  return totpAt(secret, server.services.clock.now(), stepsAway);
}

/** The authenticator's code by another clock. */
export function totpAt(secret: string, now: Date, stepsAway = 0): string {
  return hotp(fromBase32(secret), Math.floor(now.getTime() / 30_000) + stepsAway);
}

/** RFC 4226 §5.3. */
export function hotp(secret: Buffer, counter: number): string {
  const moving = Buffer.alloc(8);
  moving.writeBigUInt64BE(BigInt(counter));
  const mac = createHmac("sha1", secret).update(moving).digest();
  const offset = mac.readUInt8(19) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, "0");
}

/** RFC 4648 §6. */
function fromBase32(text: string): Buffer {
  const bits = [...text]
    .map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter))
    .map((value) => value.toString(2).padStart(5, "0"))
    .join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
