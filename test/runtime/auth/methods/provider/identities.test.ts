import { afterAll, beforeAll, expect, test } from "vitest";
import { client } from "../../../../support/http/client.js";
import { mailedCode, newestMail } from "../../support/mails.js";
import { person, signInWith } from "../../support/people.js";
import { type ProviderServer, startProviders } from "../../support/providers.js";
import { addPasskey, forgetPassword } from "../../support/rows.js";
import { rightPassword } from "../../support/server.js";

let server: ProviderServer;
let strict: ProviderServer;

const settings = (url: string) => `
  providers:
    acme: { issuer: "${url}/acme", title: Acme, client_id: shop, client_secret: s, register: true }
    other: { issuer: "${url}/other", client_id: shop, client_secret: s, domains: [example.org] }
`;

beforeAll(async () => {
  server = await startProviders(settings);
  strict = await startProviders(
    (url) => `  magic_link: false\n  email_code: false\n  operators: [admin]\n${settings(url)}`,
  );
});
afterAll(async () => {
  await server.close();
  await strict.close();
});

interface Listed {
  readonly data: readonly { readonly id: string; readonly provider: string }[];
}

test("an identity is linked, listed, used and unlinked, with events and notices", async () => {
  const ada = await person(server, "ada");
  server.outbox.clear();
  const { ticket, secret } = await server.back("acme", { sub: "ada", email: "x@y.test" });
  const added = await ada.caller.post("/auth/identities", { ticket, secret });
  expect(added.status, added.text).toBe(201);
  const now = server.services.clock.now().toISOString();
  const identity = {
    id: expect.any(String),
    provider: "acme",
    title: "Acme",
    email: "x@y.test",
    createdAt: now,
    lastUsedAt: null,
  };
  expect(added.body).toEqual(identity);
  const back = await server.signIn("acme", { sub: "ada", email: "z@y.test" });
  expect(back.body).toMatchObject({ user: { email: ada.email } });
  const list = await ada.caller.get<Listed>("/auth/identities");
  expect(list.body.data).toEqual([{ ...identity, email: "z@y.test", lastUsedAt: now }]);
  const id = added.body.id;
  const gone = await ada.caller.delete(`/auth/identities/${id}`);
  expect(gone.status, gone.text).toBe(204);
  expect((await ada.caller.delete(`/auth/identities/${id}`)).status).toBe(404);
  expect((await ada.caller.delete("/auth/identities/none")).status).toBe(404);
  expect(server.outbox.notices.map(({ kind }) => kind)).toEqual([
    "identity-added",
    "identity-removed",
  ]);
  const events = await server.services.db.query<{ kind: string }>(
    `select e.kind from service.account_events e join service.users u on u.id = e.account_id
     where u.email = $1 and e.kind like 'identity-%' order by e.id`,
    [ada.email],
  );
  expect(events.map(({ kind }) => kind)).toEqual(["identity-added", "identity-removed"]);
});

test.each(["their account", "an operator"])(
  "identities and devices stay when %s changes the address, and it is proved",
  async (who) => {
    const name = `moving-${who.length}`;
    const to = `new-${name}@example.com`;
    const ada = await person(strict, name);
    const { ticket, secret } = await strict.back("acme", { sub: name, email: ada.email });
    const added = await ada.caller.post("/auth/identities", { ticket, secret });
    expect(added.status, added.text).toBe(201);
    const { caller: device } = await signInWith(strict, ada.email);
    if (who === "an operator") {
      const boss = await signInWith(strict, await strict.account(`boss-${name}`, "admin"));
      const me = await ada.caller.get<{ user: { id: string } }>("/auth/me");
      const path = `/_service/accounts/${me.body.user.id}`;
      expect((await boss.caller.patch(path, { email: to })).status).toBe(200);
      const { code } = newestMail(strict, to, "verification");
      const proof = { email: to, code };
      expect((await strict.anonymous.post("/auth/email/verify", proof)).status).toBe(204);
    } else {
      const body = { email: to, password: rightPassword };
      expect((await ada.caller.post("/auth/email/change", body)).status).toBe(204);
      const { code } = newestMail(strict, to, "email-change");
      expect((await ada.caller.post("/auth/email/change/verify", { code })).status).toBe(204);
    }
    for (const caller of [ada.caller, device]) {
      const { body } = await caller.get("/auth/me");
      expect(body).toMatchObject({ user: { email: to, emailVerified: true } });
    }
    const list = await ada.caller.get<Listed>("/auth/identities");
    expect(list.body.data).toMatchObject([{ provider: "acme" }]);
    const again = await strict.signIn("acme", { sub: name, email: ada.email });
    expect([again.status, again.body]).toMatchObject([201, { user: { email: to } }]);
  },
);

test("another account's identity, or a second one of a provider, is refused", async () => {
  const one = await person(server, "one");
  const two = await person(server, "two");
  const link = async (who: typeof one, sub: string, provider = "acme", email = "a@b.test") => {
    const { ticket, secret } = await server.back(provider, { sub, email });
    return who.caller.post<{ code?: string; issues?: { path: string }[] }>("/auth/identities", {
      ticket,
      secret,
    });
  };
  expect((await link(one, "s1")).status).toBe(201);
  expect((await link(one, "s1")).status).toBe(201);
  const taken = await link(two, "s1");
  expect([taken.status, taken.body.code]).toEqual([409, "IDENTITY_TAKEN"]);
  const second = await link(one, "s2");
  expect([second.status, second.body.code]).toEqual([409, "PROVIDER_ALREADY_LINKED"]);
  const foreign = await link(two, "s3", "other");
  expect([foreign.status, foreign.body.code]).toEqual([403, "ACCOUNT_NOT_LINKED"]);
  expect((await link(two, "s3", "other", "two@example.org")).status).toBe(201);
  const { ticket, secret } = await server.back("acme", { sub: "s4", email: "a@b.test" });
  const wrong = await two.caller.post<{ code: string; issues: { path: string }[] }>(
    "/auth/identities",
    { ticket, secret: `${secret}x` },
  );
  expect([wrong.status, wrong.body.code]).toEqual([422, "INVALID_TOKEN"]);
  expect(wrong.body.issues.map(({ path }) => path)).toEqual(["ticket"]);
  const others = await one.caller.get<Listed>("/auth/identities");
  expect((await two.caller.delete(`/auth/identities/${others.body.data[0]?.id}`)).status).toBe(404);
});

test("linking and unlinking need a token, and a sign-in of the last day", async () => {
  for (const [method, path] of [
    ["GET", "/auth/identities"],
    ["POST", "/auth/identities"],
    ["DELETE", "/auth/identities/01b8dac5-db10-74e5-97a7-fbb07876d59c"],
  ] as const) {
    expect((await server.anonymous.send(method, path, { text: "{}" })).status).toBe(401);
  }
  const old = await person(server, "old");
  server.clock.moveOn(86_401);
  const added = await old.caller.post("/auth/identities", { ticket: "x", secret: "y" });
  expect([added.status, added.body]).toMatchObject([403, { code: "SESSION_NOT_FRESH" }]);
  const path = "/auth/identities/01b8dac5-db10-74e5-97a7-fbb07876d59c";
  expect((await old.caller.delete(path)).status).toBe(403);
});

test("the last sign-in method stays; a passkey or another identity counts as one", async () => {
  const first = await strict.signIn("acme", { sub: "z", email: "z@b.test", email_verified: true });
  expect(first.status, first.text).toBe(201);
  const caller = client(strict.url, first.body.token);
  const { body } = await caller.get<Listed>("/auth/identities");
  const path = `/auth/identities/${body.data[0]?.id}`;
  const last = await caller.delete(path);
  expect([last.status, last.body]).toMatchObject([422, { code: "LAST_SIGN_IN_METHOD" }]);
  const { ticket, secret } = await strict.back("other", { sub: "z", email: "z@example.org" });
  expect((await caller.post("/auth/identities", { ticket, secret })).status).toBe(201);
  expect((await caller.delete(path)).status).toBe(204);
  const left = await caller.get<Listed>("/auth/identities");
  const other = `/auth/identities/${left.body.data[0]?.id}`;
  expect((await caller.delete(other)).status).toBe(422);
  await addPasskey(strict, "z@b.test");
  const passkeys = await caller.get<Listed>("/auth/passkeys");
  const passkey = `/auth/passkeys/${passkeys.body.data[0]?.id}`;
  // Either may go while the other one is there.
  await strict.services.db.query("update service.identities set provider = 'gone'");
  expect((await caller.delete(passkey)).status).toBe(422);
  await strict.services.db.query("update service.identities set provider = 'other'");
  expect((await caller.delete(passkey)).status).toBe(204);
  expect((await caller.delete(other)).status).toBe(422);
});

test("an account whose only provider was removed signs in by mail, and unlinks it", async () => {
  const email = "left@b.test";
  const claims = { sub: "left", email, email_verified: true };
  const made = await server.signIn("acme", claims);
  expect(made.status, made.text).toBe(201);
  await server.services.db.query(
    "update service.identities set provider = 'gone' where subject = 'left'",
  );
  expect((await server.anonymous.post("/auth/email-code", { email })).status).toBe(204);
  const back = await server.anonymous.post<{ token: string }>("/auth/email-code/verify", {
    email,
    code: mailedCode(server, email),
  });
  expect(back.status, back.text).toBe(201);
  const caller = client(server.url, back.body.token);
  const { body } = await caller.get<Listed>("/auth/identities");
  expect(body.data).toMatchObject([{ provider: "gone", title: "gone", email }]);
  expect((await caller.delete(`/auth/identities/${body.data[0]?.id}`)).status).toBe(204);
});

test("operators see the identities of an account", async () => {
  const admin = await strict.account("admin", "admin");
  const { body } = await strict.anonymous.post<{ token: string }>("/auth/token", {
    email: admin,
    password: "right password",
  });
  const caller = client(strict.url, body.token);
  const made = await strict.signIn("acme", {
    sub: "seen",
    email: "s@b.test",
    email_verified: true,
  });
  const { id } = (made.body as unknown as { user: { id: string } }).user;
  const seen = await caller.get<{ identities: object[] }>(`/_service/accounts/${id}`);
  expect(seen.body.identities).toEqual([
    expect.objectContaining({ provider: "acme", title: "Acme", email: "s@b.test" }),
  ]);
  await forgetPassword(strict, admin);
});
