import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openMailer } from "../../../../runtime/mail/index.js";
import { type Queue, weightOf } from "../../../../runtime/mail/queue/queues.js";
import { maxInQueue } from "../../../../runtime/mail/queue/store.js";
import { startSilentServer } from "../../../support/accounts/smtp.js";
import { type Client, client } from "../../../support/http/client.js";
import { disable } from "../support/rows.js";
import { type AuthServer, startAuth } from "../support/server.js";

const auth =
  "auth: { registration: true, require_email_verification: true, check_breached_passwords: false }";

let server: AuthServer;
let silent: Awaited<ReturnType<typeof startSilentServer>>;
let anonymous: Client;

beforeAll(async () => {
  silent = await startSilentServer();
  server = await startAuth(
    `${auth}\nmailer: { driver: smtp, url: "${silent.url}" }\n`,
    { SERVICE_LOG_LEVEL: "silent" },
    // Never started: what is stored stays where it is.
    { openMailer: (options) => ({ ...openMailer(options), start() {} }) },
  );
  anonymous = client(server.url, null);
});
beforeEach(async () => {
  await query("delete from service.mails");
});
afterAll(async () => {
  await server.close();
  await silent.close();
});

function query<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
  return server.services.db.query<Row>(text, values);
}

/** Stores as many emails as may wait in a queue. */
async function fill(queue: Queue): Promise<void> {
  await query(
    `insert into service.mails (id, email, kind, queue, sealed, turn, due_at, expires_at)
     select gen_random_uuid(), n || '@example.com', 'reset-link', $1, '', 0, now(), now() + '1 day'
     from generate_series(1, $2) n`,
    [queue, maxInQueue],
  );
}

let people = 0;

/** An address with an account, one whose account is disabled, and one without. */
async function addresses(): Promise<readonly string[]> {
  people += 1;
  const known = await server.account(`known-${people}`);
  const disabled = await server.account(`disabled-${people}`);
  await disable(server, disabled);
  return [known, disabled, `nobody-${people}@example.com`];
}

const asking = [
  ["/auth/email-code", {}, "sign-in"],
  ["/auth/magic-link", {}, "sign-in"],
  ["/auth/email/send", {}, "registration"],
  ["/auth/password/forgot", {}, "reset"],
  ["/auth/register", { name: "Eve", password: "a password of my own" }, "registration"],
] as const;

test.each(asking)(
  "%s stores a mail in one queue for every address, sent only to those with an account",
  async (path, body, queue) => {
    const emails = await addresses();
    for (const email of emails) {
      expect([200, 204]).toContain((await anonymous.post(path, { email, ...body })).status);
    }
    const rows = await query<{ email: string; queue: string }>(
      "select email, queue from service.mails order by created_at",
    );
    expect(rows).toEqual(emails.map((email) => ({ email, queue })));
  },
);

test.each([
  ["/auth/email-code", 1],
  ["/auth/magic-link", 1],
  ["/auth/password/forgot", 1],
  ["/auth/email/send", 0],
])("%s stores a mail to an unverified address with turn %i", async (path, turn) => {
  const [email = ""] = await addresses();
  await query("update service.users set email_verified_at = null where email = $1", [email]);
  await anonymous.post(path, { email });
  expect(await query("select email, turn from service.mails")).toEqual([{ email, turn }]);
});

test.each(asking)(
  "%s is refused for every address while its queue is full",
  async (path, body, queue) => {
    await fill(queue);
    for (const email of await addresses()) {
      const reply = await anonymous.post(path, { email, ...body });
      expect(reply.status).toBe(503);
      expect(reply.headers["retry-after"]).toBe("60");
      expect(reply.body).toEqual({ error: "Try again in a moment" });
    }
  },
);

test.each(asking)("%s is answered while every other queue is full", async (path, body, queue) => {
  const others = Object.keys(weightOf).filter((other) => other !== queue) as Queue[];
  for (const other of others) await fill(other);
  for (const email of await addresses()) {
    expect([200, 204]).toContain((await anonymous.post(path, { email, ...body })).status);
  }
});

test("a code that could not be mailed does not replace the previous one", async () => {
  const [email = ""] = await addresses();
  await anonymous.post("/auth/email-code", { email });
  const digest = () =>
    query("select code_digest from service.mailed_proofs where email = $1", [email]);
  const before = await digest();
  await fill("sign-in");
  expect((await anonymous.post("/auth/email-code", { email })).status).toBe(503);
  expect(await digest()).toEqual(before);
});

test("requests that are refused because the queue is full are not counted", async () => {
  const [known = "", , unknown = ""] = await addresses();
  await fill("sign-in");
  const ask = (email: string) => anonymous.post("/auth/email-code", { email });
  for (let count = 0; count < 7; count += 1) {
    for (const email of [known, unknown]) expect((await ask(email)).status).toBe(503);
  }
  await query("delete from service.mails");
  for (const email of [known, unknown]) expect((await ask(email)).status).toBe(204);
});

test("registrations that are refused because the queue is full are not counted", async () => {
  const email = "patient@example.com";
  const body = { name: "Ada", email, password: "a password of my own" };
  await fill("registration");
  for (let count = 0; count < 6; count += 1) {
    expect((await anonymous.post("/auth/register", body)).status).toBe(503);
  }
  await query("delete from service.mails");
  expect((await anonymous.post("/auth/register", body)).status).toBe(200);
  expect(await query("select email from service.mails")).toEqual([{ email }]);
});

test("a refused registration still removes the earlier password and name", async () => {
  const email = "victim@example.com";
  const register = (name: string, password: string) =>
    anonymous.post("/auth/register", { name, email, password });
  expect((await register("You won", "a hijacker's password")).status).toBe(200);
  await fill("registration");
  expect((await register("Ada", "a password of my own")).status).toBe(503);
  const text =
    'select name, password_hash is not null as "hasPassword" from service.users where email = $1';
  expect(await query(text, [email])).toEqual([{ name: "victim", hasPassword: false }]);
  await query("update service.users set email_verified_at = now() where email = $1", [email]);
  const token = { email, password: "a hijacker's password" };
  expect((await anonymous.post("/auth/token", token)).status).toBe(401);
});
