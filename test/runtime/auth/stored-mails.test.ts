import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openMailer } from "../../../runtime/mail/index.js";
import { mostWaiting } from "../../../runtime/mail/store.js";
import { type Client, client } from "../../support/client.js";
import { startSilentServer } from "../../support/smtp.js";
import { disable } from "./rows.js";
import { type AuthServer, startAuth } from "./server.js";

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

/** Stores as many mails as may wait. */
async function fill(): Promise<void> {
  await query(
    `insert into service.mails (id, email, kind, sealed, turn, due_at, expires_at)
     select gen_random_uuid(), n || '@example.com', 'reset-link', '', 0, now(), now() + '1 day'
     from generate_series(1, $1) n`,
    [mostWaiting],
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
  ["/auth/email-code", {}],
  ["/auth/magic-link", {}],
  ["/auth/email/send", {}],
  ["/auth/password/forgot", {}],
  ["/auth/register", { name: "Eve", password: "a password of my own" }],
] as const;

test.each(asking)(
  "%s stores a mail for every address, sent to who has an account",
  async (path, body) => {
    const emails = await addresses();
    for (const email of emails) {
      expect([200, 204]).toContain((await anonymous.post(path, { email, ...body })).status);
    }
    const rows = await query<{ email: string }>(
      "select email from service.mails order by created_at",
    );
    expect(rows.map(({ email }) => email)).toEqual(emails);
  },
);

test.each(asking)("%s is refused for every address while too many wait", async (path, body) => {
  await fill();
  for (const email of await addresses()) {
    const reply = await anonymous.post(path, { email, ...body });
    expect(reply.status).toBe(503);
    expect(reply.headers["retry-after"]).toBe("60");
    expect(reply.body).toEqual({ error: "Try again in a moment" });
  }
});

test("a code that could not be mailed does not replace the former one", async () => {
  const [email = ""] = await addresses();
  await anonymous.post("/auth/email-code", { email });
  const digest = () =>
    query("select code_digest from service.mailed_proofs where email = $1", [email]);
  const before = await digest();
  await fill();
  expect((await anonymous.post("/auth/email-code", { email })).status).toBe(503);
  expect(await digest()).toEqual(before);
});

test("requests that are refused because too many mails wait are not counted", async () => {
  const [known = "", , unknown = ""] = await addresses();
  await fill();
  const ask = (email: string) => anonymous.post("/auth/email-code", { email });
  for (let count = 0; count < 7; count += 1) {
    for (const email of [known, unknown]) expect((await ask(email)).status).toBe(503);
  }
  await query("delete from service.mails");
  for (const email of [known, unknown]) expect((await ask(email)).status).toBe(204);
});

test("registrations that are refused because too many mails wait are not counted", async () => {
  const email = "patient@example.com";
  const body = { name: "Ada", email, password: "a password of my own" };
  await fill();
  for (let count = 0; count < 6; count += 1) {
    expect((await anonymous.post("/auth/register", body)).status).toBe(503);
  }
  await query("delete from service.mails");
  expect((await anonymous.post("/auth/register", body)).status).toBe(200);
  expect(await query("select email from service.mails")).toEqual([{ email }]);
});

test("a registration that is refused still takes the former password and name away", async () => {
  const email = "victim@example.com";
  const register = (name: string, password: string) =>
    anonymous.post("/auth/register", { name, email, password });
  expect((await register("You won", "a hijacker's password")).status).toBe(200);
  await fill();
  expect((await register("Ada", "a password of my own")).status).toBe(503);
  const text =
    'select name, password_hash is not null as "hasPassword" from service.users where email = $1';
  expect(await query(text, [email])).toEqual([{ name: "victim", hasPassword: false }]);
  await query("update service.users set email_verified_at = now() where email = $1", [email]);
  const token = { email, password: "a hijacker's password" };
  expect((await anonymous.post("/auth/token", token)).status).toBe(401);
});
