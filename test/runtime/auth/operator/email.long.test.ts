import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Client, client, type Reply } from "../../../support/http/client.js";
import { newestMail, tokenIn } from "../support/mails.js";
import { type SignedInDevice, signInWith, trySignIn } from "../support/people.js";
import { addPasskey, addSecondStep, disable, forgetProof } from "../support/rows.js";
import { type AuthServer, rightPassword, startAuth } from "../support/server.js";

const settings =
  "auth: { check_breached_passwords: false, registration: true, operators: [admin] }\n";

let server: AuthServer;
let verifying: AuthServer;
let operator: Client;
let ada: SignedInDevice & { readonly email: string; readonly id: string };
let names = 0;

beforeAll(async () => {
  server = await startAuth(settings);
  verifying = await startAuth(
    "auth: { check_breached_passwords: false, registration: true, require_email_verification: true }\n",
    {},
    { databaseUrl: server.services.config.database.url },
  );
  ({ caller: operator } = await signInWith(server, await server.account("op", "admin")));
});
beforeEach(async () => {
  server.clock.moveOn(60);
  names += 1;
  const email = await server.account(`ada-${names}`, "editor");
  ada = { ...(await signInWith(server, email)), email, id: await idOf(email) };
  await addPasskey(server, email);
  server.outbox.clear();
  verifying.outbox.clear();
});
afterAll(async () => {
  await verifying.close();
  await server.close();
});

const anonymous = () => client(server.url, null);
const fresh = () => `new-${names}@example.com`;

async function idOf(email: string): Promise<string> {
  const text = "select id from service.users where email = $1";
  const [row] = await server.services.db.query<{ id: string }>(text, [email]);
  return row?.id ?? "";
}

const patch = (body: object, id = ada.id): Promise<Reply<object>> =>
  operator.patch(`/_service/accounts/${id}`, body);

interface User {
  readonly name: string;
  readonly email: string;
  readonly role: string | null;
  readonly emailVerified: boolean;
}

async function userOf({ caller }: SignedInDevice): Promise<User> {
  const { status, body } = await caller.get<{ user: User }>("/auth/me");
  expect(status).toBe(200);
  return body.user;
}

async function passkeys(): Promise<number> {
  const text = "select id from service.passkeys where user_id = $1";
  return (await server.services.db.query(text, [ada.id])).length;
}

test("an operator changes an address: it is unverified, mailed to, and the old one gets a notice", async () => {
  const reply = await patch({ email: fresh().toUpperCase() });
  expect(reply.status, reply.text).toBe(200);
  expect(reply.body).toMatchObject({ id: ada.id, email: fresh(), emailVerified: false });
  const mail = newestMail(server, fresh(), "verification");
  expect(mail).toMatchObject({ name: `ada-${names}`, minutes: 60 });
  expect(server.outbox.notices).toMatchObject([{ kind: "email-changed", to: ada.email }]);
  expect((await trySignIn(server, fresh())).status).toBe(201);
  expect((await trySignIn(server, ada.email)).status).toBe(401);
  const events = await operator.get<{ data: readonly { kind: string; by: object }[] }>(
    `/_service/account-events?filter[accountId]=${ada.id}&filter[kind]=email-changed`,
  );
  expect(events.body.data).toMatchObject([{ by: { email: "op@example.com" } }]);
});

test.each(["verification", "sign-in code", "sign-in link"])(
  "proving the new address by a %s keeps name, role, password, passkeys and devices",
  async (by) => {
    await patch({ email: fresh() });
    const email = fresh();
    if (by === "verification") {
      const { code } = newestMail(server, email, "verification");
      expect((await anonymous().post("/auth/email/verify", { email, code })).status).toBe(204);
    } else if (by === "sign-in code") {
      await anonymous().post("/auth/email-code", { email });
      const { code } = newestMail(server, email, "sign-in-code");
      expect((await anonymous().post("/auth/email-code/verify", { email, code })).status).toBe(201);
    } else {
      await anonymous().post("/auth/magic-link", { email });
      const token = tokenIn(newestMail(server, email, "sign-in-link").link);
      expect((await anonymous().post("/auth/magic-link/verify", { token })).status).toBe(201);
    }
    expect(await userOf(ada)).toMatchObject({
      name: `ada-${names}`,
      email,
      role: "editor",
      emailVerified: true,
    });
    expect((await trySignIn(server, email)).status).toBe(201);
    expect(await passkeys()).toBe(1);
  },
);

test("a reset proves the new address and keeps name and passkeys; it still signs devices out", async () => {
  await patch({ email: fresh() });
  await anonymous().post("/auth/password/forgot", { email: fresh() });
  const token = tokenIn(newestMail(server, fresh(), "reset-link").link);
  const reset = { token, newPassword: "another password" };
  expect((await anonymous().post("/auth/password/reset", reset)).status).toBe(204);
  expect((await ada.caller.get("/auth/me")).status).toBe(401);
  const again = await signInWith(server, fresh(), { password: "another password" });
  expect(await userOf(again)).toMatchObject({ name: `ada-${names}`, emailVerified: true });
  expect(await passkeys()).toBe(1);
});

test("registering the address that an operator chose does not remove the password", async () => {
  await patch({ email: fresh() });
  const eve = client(verifying.url, null);
  const body = { name: "Eve", email: fresh(), password: "eve's password" };
  expect((await eve.post("/auth/register", body)).status).toBe(200);
  const { code } = newestMail(verifying, fresh(), "verification");
  const proof = { email: fresh(), code };
  expect((await anonymous().post("/auth/email/verify", proof)).status).toBe(204);
  expect((await trySignIn(server, fresh())).status).toBe(201);
  expect(await userOf(ada)).toMatchObject({ name: `ada-${names}`, emailVerified: true });
});

test("open links, codes and challenges end, also those of the new address", async () => {
  await addSecondStep(server, ada.email, "email");
  const { challenge } = (await trySignIn(server, ada.email)).body;
  await anonymous().post("/auth/password/forgot", { email: ada.email });
  const { link } = newestMail(server, ada.email, "reset-link");
  const wanted = { email: `wanted-${names}@example.com`, password: rightPassword };
  expect((await ada.caller.post("/auth/email/change", wanted)).status).toBe(204);
  const { link: change } = newestMail(server, wanted.email, "email-change");
  await patch({ email: fresh() });
  const answers = await Promise.all([
    anonymous().post("/auth/two-factor/send", { challenge }),
    anonymous().post("/auth/password/reset", { token: tokenIn(link), newPassword: "12345678 x" }),
    anonymous().post("/auth/email/change/verify", { token: tokenIn(change) }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
});

test("the same address changes nothing, not even in another case", async () => {
  const reply = await patch({ email: ada.email.toUpperCase() });
  expect(reply.body).toMatchObject({ email: ada.email, emailVerified: true });
  expect([...server.outbox.messages, ...server.outbox.notices]).toEqual([]);
});

test("a taken address is 422, and in a race 409", async () => {
  const bob = await server.account(`bob-${names}`);
  const taken = await patch({ email: bob, name: "Not stored" });
  expect(taken.status).toBe(422);
  expect(taken.body).toMatchObject({ code: "USER_ALREADY_EXISTS", issues: [{ path: "email" }] });
  expect(await userOf(ada)).toMatchObject({ name: `ada-${names}`, email: ada.email });
  const registration = { name: "Cy", email: fresh(), password: rightPassword };
  const [changed, registered] = await Promise.all([
    patch({ email: fresh() }),
    anonymous().post("/auth/register", registration),
  ]);
  expect([
    [200, 409],
    [200, 422],
    [409, 201],
    [422, 201],
  ]).toContainEqual([changed.status, registered.status]);
});

test("operators cannot change their own address here, as it needs the password", async () => {
  const reply = await patch({ email: fresh() }, await idOf("op@example.com"));
  expect(reply.status).toBe(422);
  expect(reply.body).toMatchObject({ issues: [{ path: "email" }] });
  const same = await patch({ email: "op@example.com" }, await idOf("op@example.com"));
  expect(same.status).toBe(200);
});

test("a disabled account gets no mail at its new address, nor does one disabled in the same request", async () => {
  await disable(server, ada.email);
  expect((await patch({ email: fresh() })).status).toBe(200);
  expect(server.outbox.messages).toEqual([]);
});

test("an address that was never verified gets the notice too, and the next one is vouched for", async () => {
  await forgetProof(server, ada.email);
  expect((await patch({ email: fresh() })).status).toBe(200);
  expect(server.outbox.notices).toMatchObject([
    { kind: "email-changed", to: ada.email, name: null },
  ]);
  await anonymous().post("/auth/email-code", { email: fresh() });
  const { code } = newestMail(server, fresh(), "sign-in-code");
  const proof = { email: fresh(), code };
  expect((await anonymous().post("/auth/email-code/verify", proof)).status).toBe(201);
  expect((await trySignIn(server, fresh())).status).toBe(201);
});

test.each([[{ email: "nobody" }], [{ email: null }], [{ email: "" }]])(
  "refuses the body %j",
  async (body) => {
    const reply = await patch(body);
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({ issues: [{ path: "email" }] });
  },
);
