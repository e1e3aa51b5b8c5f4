import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { lockOperators } from "../../../../../runtime/auth/account/last-operator.js";
import { sha256 } from "../../../../support/accounts/provider.js";
import { lockWaiters } from "../../../../support/database/lock-waits.js";
import { client } from "../../../../support/http/client.js";
import { type SignInAnswer, signInWith, trySignIn } from "../../support/people.js";
import { type ProviderServer, startProviders, webUrl } from "../../support/providers.js";
import { addUntilPruned } from "../../support/pruning.js";
import { addPasskey, addSecondStep, disable, forgetProof, introduce } from "../../support/rows.js";
import { appPerson, totp, verify } from "../../support/second-step.js";

let server: ProviderServer;

const settings = (url: string) => `
  return_to: [com.example.shop]
  sites: { staff: "https://staff.example.com" }
  operators: [admin, chief]
  providers:
    open: { issuer: "${url}/open", title: Open House, client_id: shop, client_secret: s, register: true, second_step: true }
    closed: { issuer: "${url}/closed", client_id: shop, client_secret: s, domains: [example.com] }
    open-here: { issuer: "${url}/open-here", client_id: shop, client_secret: s, register: true, domains: [EXAMPLE.com] }
    closed-all: { issuer: "${url}/closed-all", client_id: shop, client_secret: s, register: false }
    alone: { issuer: "${url}/alone", client_id: shop, client_secret: s, second_step: false }
    roles:
      issuer: "${url}/roles"
      client_id: shop
      client_secret: s
      register: true
      roles: { claim: groups, map: { chiefs: admin, heads: chief, staff: clerk } }
    roles-required:
      issuer: "${url}/roles-required"
      client_id: shop
      client_secret: s
      register: true
      roles: { claim: groups, map: { staff: clerk } }
      roles_required: true
`;

beforeAll(async () => {
  server = await startProviders(settings);
});
afterAll(() => server.close());

let people = 0;
function someone(domain = "example.com"): { sub: string; email: string; email_verified: boolean } {
  people += 1;
  return { sub: `sub-${people}`, email: `person-${people}@${domain}`, email_verified: true };
}

async function eventsOf(email: string): Promise<readonly string[]> {
  const rows = await server.services.db.query<{ kind: string }>(
    `select e.kind from service.account_events e join service.users u on u.id = e.account_id
     where u.email = $1 order by e.id`,
    [email],
  );
  return rows.map(({ kind }) => kind);
}

test("the configuration names the providers in the file's order", async () => {
  const { body } = await server.anonymous.get<{ providers: unknown }>("/auth/config");
  expect(body.providers).toEqual([
    { name: "open", title: "Open House" },
    { name: "closed", title: "closed" },
    { name: "open-here", title: "open-here" },
    { name: "closed-all", title: "closed-all" },
    { name: "alone", title: "alone" },
    { name: "roles", title: "roles" },
    { name: "roles-required", title: "roles-required" },
  ]);
});

test("a new user gets an account, and returns to it even with another address", async () => {
  const claims = { ...someone(), name: "  Ada Lovelace " };
  const first = await server.signIn("open", claims);
  expect(first.status, first.text).toBe(201);
  expect(first.body).toEqual({
    token: expect.stringMatching(/^[\w-]{43}$/),
    user: { id: expect.any(String), name: "Ada Lovelace", email: claims.email, role: null },
  });
  const me = await client(server.url, first.body.token).get<{ user: object }>("/auth/me");
  expect(me.body.user).toMatchObject({ emailVerified: true, email: claims.email });
  expect(await eventsOf(claims.email)).toEqual(["account-created", "identity-added", "signed-in"]);
  const moved = { ...claims, email: "elsewhere@example.org", email_verified: false };
  const second = await server.signIn("open", moved);
  expect(second.status).toBe(201);
  expect(second.body).toMatchObject({ user: { email: claims.email } });
  const sessions = await client(server.url, second.body.token).get<{ data: object[] }>(
    "/auth/sessions",
  );
  expect(sessions.body.data).toHaveLength(2);
});

test("the sign-in may return to any site, and to no other address", async () => {
  const page = "https://staff.example.com/sign-in?next=%2Forders";
  const { ticket, location, secret, url } = await server.back("open", someone(), {
    returnTo: page,
  });
  expect(location).toBe(`${page}&ticket=${ticket}`);
  expect(new URL(url).searchParams.get("redirect_uri")).toBe(
    `${webUrl}/api/auth/provider/callback`,
  );
  const reply = await server.anonymous.post("/auth/provider/verify", { ticket, secret });
  expect(reply.status).toBe(201);
  for (const returnTo of [
    "http://staff.example.com/",
    "https://staff.example.com:8443/",
    "https://staff.example.com.evil.test/",
    "https://staff.example.com@evil.test/",
    "https://me@staff.example.com/",
    "https://staff.example.com\\@evil.test/",
    "//staff.example.com/",
    "staff",
    "default",
  ]) {
    const begun = { provider: "open", challenge: sha256("left"), returnTo };
    const refused = await server.anonymous.post<{ issues: object[] }>("/auth/provider", begun);
    expect([refused.status, refused.body.issues], returnTo).toEqual([
      422,
      [{ path: "returnTo", message: expect.stringContaining("a site's") }],
    ]);
  }
});

test("without a name it is the part before the @", async () => {
  const claims = { ...someone(), name: "\u0000" };
  const { body } = await server.signIn("open", claims);
  expect(body).toMatchObject({ user: { name: claims.email.split("@")[0] } });
});

test("values sent to the provider are bound to the state, and none of them is stored", async () => {
  const { url, location } = await server.back("open", someone(), {
    returnTo: `${webUrl}/sign-in?next=%2Forders#top`,
  });
  expect(location).toMatch(
    /^https:\/\/shop\.example\.com\/sign-in\?next=%2Forders&ticket=[\w-]{43}#top$/,
  );
  const { searchParams } = new URL(url);
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: "shop",
    redirect_uri: `${webUrl}/api/auth/provider/callback`,
    response_type: "code",
    scope: "openid email profile",
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: "S256",
  });
  const form = server.provider.forms.at(-1);
  expect(sha256(form?.get("code_verifier") ?? "")).toBe(searchParams.get("code_challenge"));
  const stored = await server.services.db.query("select * from service.provider_tickets");
  expect(JSON.stringify(stored)).not.toContain(new URL(location).searchParams.get("ticket"));
});

/** account × vouched × register × domain, through the whole server. */
const outcomes: [string, string, string, boolean, number][] = [];
for (const account of ["none", "unverified", "verified", "disabled"]) {
  for (const name of ["open", "open-here", "closed", "closed-all"]) {
    for (const domain of ["example.com", "example.org"]) {
      for (const isVouched of [true, false]) {
        const isAllowed = !["open-here", "closed"].includes(name) || domain === "example.com";
        const isLinked = account === "none" ? name.startsWith("open") : account !== "disabled";
        outcomes.push([
          account,
          name,
          domain,
          isVouched,
          isVouched && isAllowed && isLinked ? 201 : 403,
        ]);
      }
    }
  }
}

test.each(outcomes)("account %s by %s from %s, vouched %s: %i", async (...row) => {
  const [account, name, domain, isVouched, status] = row;
  const claims = { ...someone(domain), email_verified: isVouched };
  const { email } = claims;
  if (account !== "none") {
    const made = await server.account(`made-${people}`);
    await server.services.db.query("update service.users set email = $2 where email = $1", [
      made,
      email,
    ]);
    if (account === "unverified") await forgetProof(server, email);
    if (account === "disabled") await disable(server, email);
  }
  const reply = await server.signIn(name, claims);
  expect(reply.status, reply.text).toBe(status);
  if (status === 403) expect(reply.body.code).toBe("ACCOUNT_NOT_LINKED");
  const linked = await server.services.db.query(
    "select id from service.identities where subject = $1",
    [claims.sub],
  );
  expect(linked).toHaveLength(status === 201 ? 1 : 0);
});

test("a verified account keeps everything, and its owner gets a notice", async () => {
  const email = await server.account("owner");
  await introduce(server, email, "Owner");
  server.outbox.clear();
  const reply = await server.signIn("closed", { sub: "owner", email, email_verified: true });
  expect(reply.body).toMatchObject({ user: { name: "Owner", email } });
  expect(server.outbox.notices).toEqual([
    {
      kind: "identity-added",
      provider: "closed",
      to: email,
      name: "Owner",
      at: server.services.clock.now().toISOString(),
    },
  ]);
  await signInWith(server, email);
});

test("an unverified account is handed over: its earlier sign-in methods are removed, identities too", async () => {
  const email = await server.account("squatted");
  await introduce(server, email, "Mallory");
  await addPasskey(server, email);
  await addSecondStep(server, email, "email");
  const mallory = { sub: "mallory", email: "mallory@example.com", email_verified: true };
  const { ticket, secret } = await server.back("closed", mallory);
  const squatter = await (async () => {
    await server.services.db.query("delete from service.second_steps");
    const device = await signInWith(server, email);
    await addSecondStep(server, email, "email");
    return device;
  })();
  const linked = await squatter.caller.post("/auth/identities", { ticket, secret });
  expect(linked.status, linked.text).toBe(201);
  await forgetProof(server, email);
  server.outbox.clear();

  const reply = await server.signIn("closed", { sub: "victim", email, email_verified: true });
  expect(reply.status, reply.text).toBe(201);
  expect(reply.body).toMatchObject({ user: { name: "squatted", email } });
  expect((await squatter.caller.get("/auth/me")).status).toBe(401);
  const again = await server.signIn("closed", mallory);
  expect(again.body.code).toBe("ACCOUNT_NOT_LINKED");
  const password = await server.anonymous.post("/auth/token", {
    email,
    password: "right password",
  });
  expect(password.status).toBe(401);
  expect(server.outbox.notices.map(({ kind }) => kind)).toEqual(["address-adopted"]);
  const left = await server.services.db.query(
    "select (select count(*)::int from service.passkeys p where p.user_id = u.id) as passkeys, i.subject from service.users u join service.identities i on i.user_id = u.id where u.email = $1",
    [email],
  );
  expect(left).toEqual([{ passkeys: 0, subject: "victim" }]);
});

test("a reset of an unverified account removes its identities too, and so does a sign-in by mail", async () => {
  for (const [name, prove] of [
    ["by-reset", "/auth/password/forgot"],
    ["by-code", "/auth/email-code"],
  ] as const) {
    const email = await server.account(name);
    const claims = { sub: name, email, email_verified: true };
    expect((await server.signIn("closed", claims)).status).toBe(201);
    await forgetProof(server, email);
    server.outbox.clear();
    await server.anonymous.post(prove, { email });
    const mail = server.outbox.to(email)[0];
    if (mail?.kind === "reset-link") {
      const token = new URL(mail.link).searchParams.get("token");
      const newPassword = "an entirely new one";
      await server.anonymous.post("/auth/password/reset", { token, newPassword });
    } else if (mail?.kind === "sign-in-code") {
      await server.anonymous.post("/auth/email-code/verify", { email, code: mail.code });
    }
    const found = await server.services.db.query(
      "select id from service.identities where subject = $1",
      [name],
    );
    expect(found, name).toEqual([]);
  }
});

async function identitiesOf(email: string): Promise<readonly string[]> {
  const rows = await server.services.db.query<{ subject: string }>(
    `select i.subject from service.identities i join service.users u on u.id = i.user_id
     where u.email = $1`,
    [email],
  );
  return rows.map(({ subject }) => subject);
}

async function passByMail(email: string, challenge: string) {
  await server.anonymous.post("/auth/two-factor/send", { challenge });
  const mail = server.outbox.to(email).at(-1);
  const code = mail !== undefined && "code" in mail ? mail.code : "";
  const sent = { challenge, method: "email", code };
  return server.anonymous.post<SignInAnswer>("/auth/two-factor/verify", sent);
}

test("an account with a second step is asked for it, unless the provider is enough", async () => {
  const email = await server.account("careful");
  await addSecondStep(server, email, "email");
  server.outbox.clear();
  const asked = await server.signIn("closed", { sub: "careful", email, email_verified: true });
  expect(asked.status, asked.text).toBe(200);
  expect(asked.body).toEqual({
    twoFactor: true,
    challenge: expect.any(String),
    methods: ["email", "backup"],
  });
  // Nothing is linked before it is passed, and nobody is told so.
  expect(await identitiesOf(email)).toEqual([]);
  expect(server.outbox.notices).toEqual([]);
  expect(await eventsOf(email)).toEqual([]);
  const done = await passByMail(email, asked.body.challenge);
  expect(done.status, done.text).toBe(201);
  expect(await identitiesOf(email)).toEqual(["careful"]);
  expect(server.outbox.notices.map(({ kind }) => kind)).toEqual(["identity-added"]);
  expect(await eventsOf(email)).toEqual(["identity-added", "signed-in"]);
  const alone = await server.signIn("alone", { sub: "careful", email, email_verified: true });
  expect(alone.status).toBe(201);
});

test("a sign-in that waits for the second step is refused if its link is no longer allowed", async () => {
  const email = await server.account("changing");
  await addSecondStep(server, email, "email");
  const claims = { sub: "changing", email, email_verified: true };
  const first = await server.signIn("closed", claims);
  expect((await passByMail(email, first.body.challenge)).status).toBe(201);
  // Unlinked in the meantime: it is not linked again.
  const second = await server.signIn("closed", claims);
  await server.services.db.query("delete from service.identities where subject = 'changing'");
  const refused = await passByMail(email, second.body.challenge);
  expect(refused.status).toBe(401);
  expect(refused.body).toMatchObject({ code: "OTP_EXPIRED" });
  expect(await identitiesOf(email)).toEqual([]);
  // Somebody else of the provider linked in the meantime: the account keeps them.
  const third = await server.signIn("closed", claims);
  const other = await server.signIn("closed", { ...claims, sub: "other" });
  expect((await passByMail(email, other.body.challenge)).status).toBe(201);
  expect((await passByMail(email, third.body.challenge)).status).toBe(401);
  expect(await identitiesOf(email)).toEqual(["other"]);
});

test("the role is also set only after the second step", async () => {
  const email = await server.account("climber");
  await addSecondStep(server, email, "email");
  const claims = { sub: "climber", email, email_verified: true, groups: "chiefs" };
  const role = async () => {
    const text = "select role from service.users where email = $1";
    return (await server.services.db.query<{ role: string | null }>(text, [email]))[0]?.role;
  };
  const asked = await server.signIn("roles", claims);
  expect(asked.status).toBe(200);
  expect(await role()).toBe(null);
  const done = await passByMail(email, asked.body.challenge);
  expect(done.body).toMatchObject({ user: { role: "admin" } });
  expect(await role()).toBe("admin");
});

test.each(["closed", "alone"])(
  "an unverified account with an authenticator is asked for it by %s, and then keeps everything",
  async (provider) => {
    const { email, secret } = await appPerson(server, `app-${provider}`);
    await forgetProof(server, email);
    server.outbox.clear();
    const sub = `app-${provider}`;
    const asked = await server.signIn(provider, { sub, email, email_verified: true });
    expect(asked.status, asked.text).toBe(200);
    expect(asked.body.methods).toEqual(["totp", "backup"]);
    expect(await identitiesOf(email)).toEqual([]);
    expect(server.outbox.notices).toEqual([]);
    const { challenge } = asked.body;
    const code = totp(server, secret, 1);
    const done = await verify(server, { challenge, method: "totp", code });
    expect(done.status, done.text).toBe(201);
    expect(await identitiesOf(email)).toEqual([sub]);
    const me = await client(server.url, done.body.token).get<{ user: object }>("/auth/me");
    expect(me.body.user).toMatchObject({ emailVerified: true });
    expect((await trySignIn(server, email)).body.methods).toContain("totp");
  },
);

test("an unverified address is not looked up", async () => {
  const email = await server.account("locked");
  await server.services.db.transaction(async (tx) => {
    await tx.query("select id from service.users where email = $1 for update", [email]);
    const claims = { sub: "locked", email, email_verified: false };
    expect((await server.signIn("open", claims)).body.code).toBe("ACCOUNT_NOT_LINKED");
  });
});

/** The role after sign-ins that have these groups, one after the other. */
async function rolesAfter(provider: string, claims: object, ...groups: unknown[]) {
  const roles: unknown[] = [];
  for (const one of groups) {
    const reply = await server.signIn(provider, { ...claims, groups: one });
    roles.push(reply.body.user?.role ?? reply.body.code ?? null);
  }
  return roles;
}

/** The lines logged at `warn` meanwhile. */
async function warnings(work: () => Promise<unknown>): Promise<readonly unknown[][]> {
  const logged = vi.spyOn(server.services.log, "warn");
  await work();
  const calls = logged.mock.calls.map((call): unknown[] => [...call]);
  logged.mockRestore();
  return calls;
}

test("the role follows the claims at each sign-in", async () => {
  const claims = someone();
  const groups = [["staff", "others"], "chiefs", "chiefs", ["others"], "staff", []];
  const roles = await rolesAfter("roles", claims, ...groups);
  expect(roles).toEqual(["clerk", "admin", "admin", null, "clerk", null]);
  const changes = (await eventsOf(claims.email)).filter((kind) => kind === "account-changed");
  expect(changes).toHaveLength(5);
});

test("a sign-in without the claim keeps the role, which is logged", async () => {
  const claims = { ...someone(), _claim_names: { groups: "src1" } };
  const lines = await warnings(async () => {
    expect(await rolesAfter("roles", claims, "staff", undefined)).toEqual(["clerk", "clerk"]);
    expect(await rolesAfter("roles", someone(), undefined)).toEqual([null]);
  });
  const line = [{ provider: "roles", claim: "groups" }, expect.stringMatching(/claim with roles/)];
  expect(lines).toEqual([line, line]);
});

test("with roles_required a sign-in without the claim is refused, and changes nothing", async () => {
  const claims = someone();
  expect(await rolesAfter("roles-required", claims, "staff", undefined, ["others"])).toEqual([
    "clerk",
    "ACCOUNT_NOT_LINKED",
    null,
  ]);
  const newcomer = someone();
  const lines = await warnings(async () => {
    expect(await rolesAfter("roles-required", newcomer, undefined)).toEqual(["ACCOUNT_NOT_LINKED"]);
  });
  expect(lines).toEqual([
    [
      { provider: "roles-required", reason: "roles claim missing" },
      "a sign-in with a provider was refused",
    ],
  ]);
  expect(await eventsOf(newcomer.email)).toEqual([]);
});

/** Makes these accounts the only ones that may manage accounts. */
async function onlyOperators(...emails: readonly string[]): Promise<void> {
  const { db } = server.services;
  await db.query("update service.users set role = null where role = any ($1)", [
    ["admin", "chief"],
  ]);
  await db.query("update service.users set role = 'admin' where email = any ($1)", [emails]);
}

async function roleIn(email: string): Promise<string | null | undefined> {
  const text = "select role from service.users where email = $1";
  return (await server.services.db.query<{ role: string | null }>(text, [email]))[0]?.role;
}

test("the last enabled operator keeps its role, whatever the claims, and another does not", async () => {
  const [last, other] = [someone(), someone()];
  expect(await rolesAfter("roles", last, "chiefs")).toEqual(["admin"]);
  expect(await rolesAfter("roles", other, "chiefs")).toEqual(["admin"]);
  await onlyOperators(last.email, other.email);
  await disable(server, other.email);
  const lines = await warnings(async () => {
    expect(await rolesAfter("roles", last, "staff", ["others"])).toEqual(["admin", "admin"]);
  });
  const about = { provider: "roles", accountId: expect.any(String) };
  expect(lines).toEqual(Array(2).fill([about, "the last enabled operator keeps its role"]));
  await server.services.db.query("update service.users set disabled_at = null where email = $1", [
    other.email,
  ]);
  // To another role of operators it may change.
  expect(await rolesAfter("roles", last, "staff", "heads")).toEqual(["clerk", "chief"]);
  expect(await rolesAfter("roles", other, "staff")).toEqual(["clerk"]);
  expect(await rolesAfter("roles", last, "staff")).toEqual(["chief"]);
});

test("the last enabled operator keeps its role after a second step too", async () => {
  const email = await server.account("last-careful");
  await addSecondStep(server, email, "email");
  await onlyOperators(email);
  server.outbox.clear();
  const claims = { sub: "last-careful", email, email_verified: true, groups: "staff" };
  const asked = await server.signIn("roles", claims);
  const done = await passByMail(email, asked.body.challenge);
  expect(done.body).toMatchObject({ user: { role: "admin" } });
  expect(await roleIn(email)).toBe("admin");
});

test("one of the operators who lose their role concurrently keeps it", async () => {
  const operators = Array.from({ length: 6 }, () => someone());
  for (const one of operators) await rolesAfter("roles", one, "chiefs");
  await onlyOperators(...operators.map(({ email }) => email));
  const replies = await Promise.all(
    operators.map((one) => server.signIn("roles", { ...one, groups: "staff" })),
  );
  expect(replies.map(({ status }) => status)).toEqual(operators.map(() => 201));
  const roles = await Promise.all(operators.map(({ email }) => roleIn(email)));
  expect(roles.filter((role) => role === "admin")).toHaveLength(1);
});

test("a sign-in concurrent with an operator's change waits for it", async () => {
  const [one, other] = [someone(), someone()];
  for (const each of [one, other]) await rolesAfter("roles", each, "chiefs");
  await onlyOperators(one.email, other.email);
  const { db } = server.services;
  let reply: Promise<Awaited<ReturnType<ProviderServer["signIn"]>>> | undefined;
  await db.transaction(async (tx) => {
    await lockOperators(tx);
    reply = server.signIn("roles", { ...one, groups: "staff" });
    await expect.poll(() => db.query(lockWaiters)).toHaveLength(1);
    await tx.query("update service.users set role = null where email = $1", [other.email]);
  });
  expect((await reply)?.body).toMatchObject({ user: { role: "admin" } });
});

test("a refused sign-in has its reason in the log, without the address", async () => {
  const taken = someone();
  expect((await server.signIn("closed", taken)).status).toBe(403);
  const made = await server.account("reasons");
  const known = { sub: "reasons", email: made, email_verified: true };
  expect((await server.signIn("closed", known)).status).toBe(201);
  const disabledAccount = someone();
  expect((await server.signIn("open", disabledAccount)).status).toBe(201);
  await disable(server, disabledAccount.email);
  const rows: [string, object, string][] = [
    ["closed", { sub: "n" }, "no address"],
    ["open", { sub: "n", preferred_username: "ann@example.com" }, "no address"],
    ["open", { sub: "n", email: "not an address", email_verified: true }, "no address"],
    ["open", { sub: "n", email: "ann@example.com" }, "address not verified"],
    ["open-here", someone("example.org"), "domain not allowed"],
    ["closed-all", someone(), "registration off"],
    ["open", disabledAccount, "account disabled"],
    ["closed", { ...disabledAccount, sub: "another" }, "account disabled"],
    ["closed", { ...known, sub: "another" }, "account linked to another"],
  ];
  server.provider.lies.userInfo = { sub: "n" };
  for (const [provider, claims, reason] of rows) {
    const lines = await warnings(async () => {
      const reply = await server.signIn(provider, { ...claims });
      expect([reply.status, reply.body.code], reason).toEqual([403, "ACCOUNT_NOT_LINKED"]);
    });
    expect(lines, reason).toEqual([
      [{ provider, reason }, "a sign-in with a provider was refused"],
    ]);
  }
  server.provider.lies.userInfo = undefined;
  const asText = { ...someone(), email_verified: "true" };
  expect((await server.signIn("open", asText)).status).toBe(201);
});

test("without an address in the ID token it comes from userinfo, for the same subject", async () => {
  const claims = someone();
  const { sub, email } = claims;
  server.provider.lies.userInfo = { sub, email, email_verified: true, name: "From There" };
  const reply = await server.signIn("open", { sub });
  expect(reply.body).toMatchObject({ user: { email, name: "From There" } });
  server.provider.lies.userInfo = { sub: "another", email, email_verified: true };
  expect((await server.back("open", { sub: "new-one" })).error).toBe("INVALID_TOKEN");
  server.provider.lies.userInfo = undefined;
});

test("twenty concurrent sign-ins of a new user create one account", async () => {
  const claims = someone();
  const tickets = await Promise.all(Array.from({ length: 8 }, () => server.back("open", claims)));
  const replies = await Promise.all(
    tickets.map(({ ticket, secret }) =>
      server.anonymous.post<{ user: { id: string } }>("/auth/provider/verify", { ticket, secret }),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
  expect(new Set(replies.map(({ body }) => body.user.id)).size).toBe(1);
});

test("mistakes are listed all at once", async () => {
  const reply = await server.anonymous.post<{ issues: { path: string }[] }>("/auth/provider", {
    provider: "nobody",
    challenge: "short",
    returnTo: "https://evil.test/",
  });
  expect(reply.status).toBe(422);
  expect(reply.body.issues.map(({ path }) => path).sort()).toEqual([
    "challenge",
    "provider",
    "returnTo",
  ]);
});

test("expired rows are removed as new ones are created", async () => {
  const { db } = server.services;
  // A state that nobody comes back with, and a ticket that nobody spends.
  const begun = { provider: "open", challenge: sha256("left"), returnTo: `${webUrl}/sign-in` };
  expect((await server.anonymous.post("/auth/provider", begun)).status).toBe(200);
  await server.back("open", someone());
  for (const table of ["provider_states", "provider_tickets"]) {
    await db.query(`update service.${table} set expires_at = '2020-01-01'`);
    const expired = () => db.query(`select from service.${table} where expires_at = '2020-01-01'`);
    await addUntilPruned(expired, () => server.back("open", someone()));
  }
});
