import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, client } from "../../../support/http/client.js";
import {
  codes,
  links,
  type MailedProof,
  type MailedServer,
  startMailed,
} from "../support/mailed-proofs.js";
import { addPasskey, addSecondStep, introduce } from "../support/rows.js";
import { rightPassword } from "../support/server.js";

const emailedSignIns = [...codes, ...links].filter(({ status }) => status === 201);

let mail: MailedServer;

beforeAll(async () => {
  mail = await startMailed();
});
afterAll(() => mail.server.close());

interface State {
  readonly name: string;
  readonly avatar: string | null;
  readonly verified: boolean;
  readonly password: boolean;
  readonly passkeys: number;
  readonly secondSteps: number;
  readonly sessions: number;
}

async function stateOf(email: string): Promise<State | undefined> {
  const rows = await mail.server.services.db.query<State>(
    `select
       name,
       avatar,
       email_verified_at is not null as "verified",
       password_hash is not null as "password",
       (select count(*)::int from service.passkeys where user_id = u.id) as "passkeys",
       (select count(*)::int from service.second_steps where user_id = u.id) as "secondSteps",
       (select count(*)::int from service.sessions where user_id = u.id) as "sessions"
     from service.users u
     where email = $1`,
    [email],
  );
  return rows[0];
}

/** Somebody has the password, a passkey, a name and a picture, and is signed in. */
async function occupied(): Promise<{ readonly email: string; readonly occupant: Client }> {
  const email = await mail.newAddress();
  await addPasskey(mail.server, email);
  await introduce(mail.server, email, "Mallory");
  const body = { email, password: rightPassword };
  const reply = await mail.anonymous.post<{ token: string }>("/auth/token", body);
  return { email, occupant: client(mail.server.url, reply.body.token) };
}

async function verify(email: string): Promise<void> {
  const text = "update service.users set email_verified_at = now() where email = $1";
  await mail.server.services.db.query(text, [email]);
}

async function signIn(way: MailedProof, email: string) {
  return mail.use(way, email, await mail.mailed(way, email));
}

/** Of the account that somebody else had made for `person-1@example.com`. */
const cleanOf = (email: string) => ({ ...clean, name: email.split("@")[0], avatar: null });
const clean = { verified: true, password: false, passkeys: 0, secondSteps: 0, sessions: 1 };

describe.each(emailedSignIns)("by a $name", (way) => {
  test("the reader of an unverified address gets the account without its earlier sign-in methods", async () => {
    const { email, occupant } = await occupied();
    const reply = await signIn(way, email);
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ user: { name: email.split("@")[0] } });
    expect(await stateOf(email)).toEqual(cleanOf(email));
    expect((await occupant.get("/auth/me")).status).toBe(401);
    const body = { email, password: rightPassword };
    expect((await mail.anonymous.post("/auth/token", body)).status).toBe(401);
  });

  test("a second step by mail that was set up before is removed as well", async () => {
    const { email } = await occupied();
    await addSecondStep(mail.server, email, "email");
    expect((await signIn(way, email)).status).toBe(201);
    expect(await stateOf(email)).toEqual(cleanOf(email));
  });

  test("an authenticator is required first, and nothing changes before", async () => {
    const { email, occupant } = await occupied();
    await addSecondStep(mail.server, email, "authenticator");
    const before = await stateOf(email);
    const reply = await signIn(way, email);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ twoFactor: true, methods: ["totp", "backup"] });
    expect(await stateOf(email)).toEqual(before);
    expect((await occupant.get("/auth/me")).status).toBe(200);
  });

  test("a verified account keeps everything", async () => {
    const { email, occupant } = await occupied();
    await verify(email);
    expect((await signIn(way, email)).status).toBe(201);
    expect(await stateOf(email)).toEqual({
      ...clean,
      name: "Mallory",
      avatar: `users/avatar/${email}`,
      password: true,
      passkeys: 1,
      sessions: 2,
    });
    expect((await occupant.get("/auth/me")).status).toBe(200);
  });
});

test("one of a concurrent code and link signs in, and the account has no earlier sign-in method", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { email } = await occupied();
    const secrets = await Promise.all(emailedSignIns.map((way) => mail.mailed(way, email)));
    const replies = await Promise.all(
      emailedSignIns.map((way, at) => mail.use(way, email, secrets[at] ?? "")),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 401]);
    expect(await stateOf(email)).toEqual(cleanOf(email));
  }
});

test("a sign-in in progress with the former password does not survive", async () => {
  const [way] = emailedSignIns;
  if (way === undefined) throw new Error("Nobody can sign in by mail");
  for (let round = 0; round < 10; round += 1) {
    const { email } = await occupied();
    const secret = await mail.mailed(way, email);
    const body = { email, password: rightPassword };
    const replies = Array.from({ length: 5 }, () => mail.anonymous.post("/auth/token", body));
    await Promise.all([...replies, mail.use(way, email, secret)]);
    expect(await stateOf(email)).toEqual(cleanOf(email));
  }
});
