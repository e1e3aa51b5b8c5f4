import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, paths } from "../../../../support/apps/shop.js";
import { client, type Reply } from "../../../../support/http/client.js";
import {
  atDashboard,
  type Passkey,
  type PasskeyPerson,
  type PasskeyServer,
  startPasskeys,
} from "../../support/passkeys.js";

let server: PasskeyServer;
let ada: PasskeyPerson;

beforeAll(async () => {
  server = await startPasskeys();
  ada = await server.person();
});
afterAll(() => server.close());

const unknownId = "01b8dac5-db10-74e5-97a7-fbb07876d59c";

async function list({ client: caller }: PasskeyPerson): Promise<readonly Passkey[]> {
  const reply = await caller.get<{ data: Passkey[] }>("/auth/passkeys");
  expect(reply.status).toBe(200);
  expect(Object.keys(reply.body)).toEqual(["data"]);
  return reply.body.data;
}

function expectCode(reply: Reply, status: number, code: string): void {
  expect(reply.status, reply.text).toBe(status);
  expect(reply.body).toEqual({ error: expect.any(String), code });
  expect(reply.headers["www-authenticate"]).toBeUndefined();
}

test("the options name the site, the account and the algorithms", async () => {
  const person = await server.person();
  expect(await person.creationOptions()).toEqual({
    rp: { id: "shop.example.com", name: expect.stringMatching(/^auth-/) },
    user: {
      id: Buffer.from(person.id.replaceAll("-", ""), "hex").toString("base64url"),
      name: person.email,
      displayName: person.name,
    },
    challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: "public-key", alg })),
    timeout: 300_000,
    excludeCredentials: [],
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
    attestation: "none",
  });
});

test("the options exclude the account's own passkeys, and nothing else", async () => {
  const person = await server.person();
  await ada.enrolled();
  const credential = atDashboard().create(await person.creationOptions());
  await person.client.post("/auth/passkeys", { credential });
  const { excludeCredentials } = await person.creationOptions();
  expect(excludeCredentials).toEqual([
    { id: credential.id, type: "public-key", transports: ["internal"] },
  ]);
});

test("a passkey is added, listed, renamed and removed", async () => {
  const person = await server.person();
  const credential = atDashboard().create(await person.creationOptions());
  const added = await person.client.post<Passkey>("/auth/passkeys", {
    credential,
    name: "  Ada’s 🔑  ",
  });
  expect(added.status, added.text).toBe(201);
  expect(added.body).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    name: "Ada’s 🔑",
    createdAt: server.services.clock.now().toISOString(),
    lastUsedAt: null,
    deviceType: "singleDevice",
    backedUp: false,
  });
  expect(Object.keys(added.body)).toEqual([
    "id",
    "name",
    "createdAt",
    "lastUsedAt",
    "deviceType",
    "backedUp",
  ]);
  expect(added.headers["cache-control"]).toBe("no-store");
  expect(await list(person)).toEqual([added.body]);

  const path = `/auth/passkeys/${added.body.id}`;
  const renamed = await person.client.patch<Passkey>(path, { name: " Laptop " });
  expect(renamed.status).toBe(200);
  expect(renamed.body).toEqual({ ...added.body, name: "Laptop" });
  expect(await list(person)).toEqual([renamed.body]);

  expect(await person.client.delete(path)).toMatchObject({ status: 204, text: "" });
  expect(await list(person)).toEqual([]);
  expectRefusal(await person.client.delete(path), 404);
});

test("without a name it is called Passkey; the list begins with the oldest", async () => {
  const person = await server.person();
  await person.add(atDashboard({ synced: true }));
  server.clock.moveOn(1);
  await person.add(atDashboard());
  expect(await list(person)).toMatchObject([
    { name: "Passkey", deviceType: "multiDevice", backedUp: true },
    { name: "Passkey", deviceType: "singleDevice", backedUp: false },
  ]);
});

test.each([
  ["an empty name", ""],
  ["whitespace", " \t "],
  ["121 characters", "x".repeat(121)],
  ["a line break", "a\nb"],
  ["NUL", "a\u0000b"],
  ["a change of direction", "a\u2068b"],
  ["an unpaired surrogate", "\ud83d"],
  ["a number", 7],
])("%s is not a name", async (_, name) => {
  const person = await server.person();
  const credential = atDashboard().create(await person.creationOptions());
  expect(paths(await person.client.post("/auth/passkeys", { credential, name }))).toEqual(["name"]);
  const added = await person.client.post<Passkey>("/auth/passkeys", {
    credential,
    name: "🔑".repeat(120),
  });
  expect(added.status, added.text).toBe(201);
  const path = `/auth/passkeys/${added.body.id}`;
  expect(paths(await person.client.patch(path, { name }))).toEqual(["name"]);
  expect(paths(await person.client.patch(path, { name: "good", later: 1 }))).toEqual(["later"]);
  expect(paths(await person.client.patch(path, {}))).toEqual(["name"]);
});

test("another account's passkey is the same 404 as a missing one", async () => {
  const person = await server.person();
  await person.enrolled();
  const [passkey] = await list(person);
  for (const id of [passkey?.id, unknownId, "no-uuid", `${unknownId}%00`]) {
    expectRefusal(await ada.client.patch(`/auth/passkeys/${id}`, { name: "mine" }), 404);
    expectRefusal(await ada.client.patch(`/auth/passkeys/${id}`, { name: "" }), 404);
    expectRefusal(await ada.client.delete(`/auth/passkeys/${id}`), 404);
  }
  expect(await list(person)).toEqual([passkey]);
});

test("every route except those for signing in needs a token", async () => {
  const { anonymous } = server;
  for (const reply of [
    await anonymous.get("/auth/passkeys"),
    await anonymous.post("/auth/passkeys/options", {}),
    await anonymous.post("/auth/passkeys", {}),
    await anonymous.patch(`/auth/passkeys/${unknownId}`, {}),
    await anonymous.delete(`/auth/passkeys/${unknownId}`),
  ]) {
    expectRefusal(reply, 401);
    expect(reply.headers["www-authenticate"]).toBe("Bearer");
  }
});

test("a passkey is added within a day of signing in", async () => {
  const person = await server.person();
  server.clock.moveOn(86_400);
  const authenticator = atDashboard();
  const credential = authenticator.create(await person.creationOptions());
  server.clock.moveOn(1);
  const notFresh = [403, "SESSION_NOT_FRESH"] as const;
  expectCode(await person.client.post("/auth/passkeys/options", {}), ...notFresh);
  expectCode(await person.client.post("/auth/passkeys", { credential }), ...notFresh);
  expectCode(await person.client.post("/auth/passkeys", {}), ...notFresh);
  expect(await list(person)).toEqual([]);
});

test("an account has at most ten", async () => {
  const person = await server.person();
  const options = await Promise.all(Array.from({ length: 20 }, () => person.creationOptions()));
  const replies = await Promise.all(
    options.map((one) =>
      person.client.post("/auth/passkeys", { credential: atDashboard().create(one) }),
    ),
  );
  const tooMany = [422, "TOO_MANY_PASSKEYS"] as const;
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
  for (const reply of replies.filter(({ status }) => status !== 201)) {
    expectCode(reply, ...tooMany);
  }
  expectCode(await person.client.post("/auth/passkeys/options", {}), ...tooMany);
  const [oldest] = await list(person);
  expect((await person.client.delete(`/auth/passkeys/${oldest?.id}`)).status).toBe(204);
  expect((await person.add(atDashboard())).status).toBe(201);
});

test("the last passkey stays if nothing else signs in", async () => {
  const bare = await startPasskeys("magic_link: false, email_code: false");
  try {
    const person = await bare.person();
    for (let number = 0; number < 10; number += 1) await person.add(atDashboard());
    await bare.services.db.query("update service.users set password_hash = null");
    const passkeys = await list(person);
    const removals = await Promise.all(
      passkeys.map(({ id }) => person.client.delete(`/auth/passkeys/${id}`)),
    );
    const [kept] = removals.filter(({ status }) => status !== 204);
    expect(removals.filter(({ status }) => status === 204)).toHaveLength(9);
    if (kept !== undefined) expectCode(kept, 422, "LAST_SIGN_IN_METHOD");
    expectRefusal(await person.client.delete(`/auth/passkeys/${unknownId}`), 404);
    expect(await list(person)).toHaveLength(1);
  } finally {
    await bare.close();
  }
});

test.each(["magic_link: true, email_code: false", "magic_link: false, email_code: true"])(
  "with %s the last one may be removed",
  async (settings) => {
    const mailing = await startPasskeys(settings);
    try {
      const person = await mailing.person();
      await person.add(atDashboard());
      await mailing.services.db.query("update service.users set password_hash = null");
      const [only] = await list(person);
      expect((await person.client.delete(`/auth/passkeys/${only?.id}`)).status).toBe(204);
    } finally {
      await mailing.close();
    }
  },
);

test("if passkeys are disabled, the routes do not exist", async () => {
  const off = await startPasskeys("passkeys: false");
  try {
    const { client: caller } = await off.person();
    for (const reply of [
      await off.anonymous.post("/auth/passkey/options", {}),
      await off.anonymous.post("/auth/passkey", {}),
      await caller.get("/auth/passkeys"),
      await caller.post("/auth/passkeys/options", {}),
      await caller.post("/auth/passkeys", {}),
      await caller.patch(`/auth/passkeys/${unknownId}`, {}),
      await caller.delete(`/auth/passkeys/${unknownId}`),
    ]) {
      expectRefusal(reply, 404);
    }
  } finally {
    await off.close();
  }
});

test("in development every page on localhost is accepted, and no other origin", async () => {
  const development = await startPasskeys("", {
    NODE_ENV: "development",
    SERVICE_WEB_URL: "http://localhost:3001",
  });
  try {
    const person = await development.person();
    const add = (page: string) => person.add(atDashboard({ origin: page }));
    for (const page of ["http://localhost:3001", "http://localhost:5173", "http://localhost"]) {
      const authenticator = await person.enrolled({ origin: page });
      expect((await development.signIn(authenticator)).status).toBe(201);
    }
    for (const page of [
      "http://localhost.evil.test",
      "http://localhost:5173@evil.test",
      "http://127.0.0.1:3001",
      "http://evil.test",
    ]) {
      expect((await add(page)).status).toBe(422);
    }
  } finally {
    await development.close();
  }
});

test("outside of development only the dashboard's own page on localhost is accepted", async () => {
  const dashboard = "http://localhost:3001";
  const local = await startPasskeys("", { SERVICE_WEB_URL: dashboard });
  try {
    const person = await local.person();
    await person.enrolled({ origin: dashboard });
    const reply = await person.add(atDashboard({ origin: "http://localhost:5173" }));
    expect(reply.status).toBe(422);
  } finally {
    await local.close();
  }
});

test("a signed-out caller cannot add a passkey", async () => {
  const person = await server.person();
  const credential = atDashboard().create(await person.creationOptions());
  const again = client(server.url, null);
  expect((await person.client.delete("/auth/token")).status).toBe(204);
  expect((await person.client.post("/auth/passkeys", { credential })).status).toBe(401);
  expect((await again.post("/auth/passkeys", { credential })).status).toBe(401);
});
