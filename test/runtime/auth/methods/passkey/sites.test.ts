import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  type AssertionKnobs,
  type Authenticator,
  newAuthenticator,
} from "../../../../support/accounts/authenticator.js";
import { client, type Reply } from "../../../../support/http/client.js";
import {
  expectRefused,
  type PasskeyPerson,
  type PasskeyServer,
  type SignedIn,
  startPasskeys,
} from "../../support/passkeys.js";
import { startAuth } from "../../support/server.js";

/** The first is at `SERVICE_WEB_URL`; `till` has the host of `default`. */
const origins = {
  default: "https://shop.example.com",
  staff: "https://staff.example.com",
  till: "https://shop.example.com:8443",
} as const;
type Name = keyof typeof origins;
const hosts = {
  default: "shop.example.com",
  staff: "staff.example.com",
  till: "shop.example.com",
} as const;
const names = ["default", "staff", "till"] as const;

let server: PasskeyServer;
let ada: PasskeyPerson;

beforeAll(async () => {
  server = await startPasskeys(`sites: { staff: "${origins.staff}", till: "${origins.till}" }`);
});
beforeEach(async () => {
  ada = await server.person();
});
afterAll(() => server.close());

async function creationOptions(site: string) {
  const reply = await ada.client.post<PublicKeyCredentialCreationOptionsJSON>(
    "/auth/passkeys/options",
    { site },
  );
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

async function requestOptions(site: string) {
  const reply = await server.anonymous.post<PublicKeyCredentialRequestOptionsJSON>(
    "/auth/passkey/options",
    { site },
  );
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

/** An authenticator with a passkey that was added on that site. */
async function enrolledAt(site: Name): Promise<Authenticator> {
  const authenticator = newAuthenticator({ origin: origins[site] });
  const credential = authenticator.create(await creationOptions(site));
  const reply = await ada.client.post("/auth/passkeys", { credential });
  expect(reply.status, reply.text).toBe(201);
  return authenticator;
}

async function signInAt(
  site: string,
  authenticator: Authenticator,
  knobs?: AssertionKnobs,
): Promise<Reply<SignedIn>> {
  server.clock.moveOn(7);
  const credential = authenticator.get(await requestOptions(site), knobs);
  return server.anonymous.post("/auth/passkey", { credential });
}

/** The client data of a page of that site. */
function pageOf(site: Name): AssertionKnobs {
  return { clientData: { origin: origins[site] } };
}

test.each(names)("the options of the site %s name its host", async (site) => {
  expect((await creationOptions(site)).rp).toEqual({ id: hosts[site], name: expect.any(String) });
  expect((await requestOptions(site)).rpId).toBe(hosts[site]);
});

test("without a site the options name the host of SERVICE_WEB_URL, whatever the headers say", async () => {
  const headers = {
    "content-type": "application/json",
    host: "staff.example.com",
    origin: origins.staff,
    "x-forwarded-host": "staff.example.com",
  };
  const sent = { text: "{}", headers };
  const asked = await server.anonymous.send<{ rpId: string }>(
    "POST",
    "/auth/passkey/options",
    sent,
  );
  expect(asked.body.rpId).toBe(hosts.default);
  const made = await ada.client.send<{ rp: { id: string } }>(
    "POST",
    "/auth/passkeys/options",
    sent,
  );
  expect(made.body.rp.id).toBe(hosts.default);
});

test.each(["/auth/passkey/options", "/auth/passkeys/options"])(
  "%s refuses a site that is not configured",
  async (path) => {
    for (const site of ["", "Staff", "staff.example.com", origins.staff, "__proto__", "evil"]) {
      const reply = await ada.client.post<object>(path, { site });
      expect([reply.status, reply.body]).toEqual([
        422,
        {
          error: "The values are not valid",
          issues: [{ path: "site", message: "Must be one of default, staff, till" }],
        },
      ]);
    }
    expect((await ada.client.post(path, { site: null })).status).toBe(422);
  },
);

test.each(names)("a passkey of the site %s signs in there", async (site) => {
  const reply = await signInAt(site, await enrolledAt(site));
  expect(reply.status, reply.text).toBe(201);
  expect(reply.body.user.id).toBe(ada.id);
});

test("a passkey works on every site with its host", async () => {
  const authenticator = await enrolledAt("default");
  expect((await signInAt("till", authenticator, pageOf("till"))).status).toBe(201);
  expect((await signInAt("default", authenticator)).status).toBe(201);
});

test("a passkey does not work on a site with another host, even if its key signs for it", async () => {
  const ofStaff = await enrolledAt("staff");
  expectRefused(await signInAt("default", ofStaff, pageOf("default")));
  const ofDefault = await enrolledAt("default");
  expectRefused(await signInAt("staff", ofDefault, pageOf("staff")));
  // As real authenticators do, which sign for the host of the passkey only.
  expectRefused(await signInAt("default", ofStaff, { ...pageOf("default"), rpId: hosts.staff }));
  expectRefused(await signInAt("default", ofStaff, { rpId: hosts.staff }));
  expect((await signInAt("staff", ofStaff, pageOf("staff"))).status).toBe(201);
});

test("a passkey that was added before hosts were stored works on the host that its authenticator knows", async () => {
  const authenticator = await enrolledAt("staff");
  await server.services.db.query("update service.passkeys set rp_id = null");
  expectRefused(await signInAt("default", authenticator, { rpId: hosts.staff }));
  expect((await signInAt("staff", authenticator)).status).toBe(201);
});

test("a challenge works only for a page of its site", async () => {
  const authenticator = await enrolledAt("staff");
  for (const [site, page] of [
    ["default", "staff"],
    ["till", "staff"],
  ] as const) {
    const knobs = { ...pageOf(page), rpId: hosts[page] };
    expectRefused(await signInAt(site, authenticator, knobs));
  }
  const ofDefault = await enrolledAt("default");
  expectRefused(await signInAt("default", ofDefault, pageOf("till")));
  expectRefused(await signInAt("till", ofDefault, pageOf("default")));
  for (const [site, page] of [
    ["default", "staff"],
    ["staff", "default"],
    ["default", "till"],
  ] as const) {
    const options = await creationOptions(site);
    const credential = newAuthenticator({ origin: origins[page] }).create(options, {
      rpId: hosts[page],
    });
    expect((await ada.client.post("/auth/passkeys", { credential })).status).toBe(422);
  }
});

test.each([
  "https://staff.example.com:443",
  "https://staff.example.com/",
  "https://STAFF.example.com",
  "http://staff.example.com",
  "https://staff.example.com.evil.example",
  "https://evil.example",
  "null",
])("the page %s belongs to no site", async (page) => {
  const authenticator = await enrolledAt("staff");
  expectRefused(await signInAt("staff", authenticator, { clientData: { origin: page } }));
});

test("a ceremony of a site that is removed meanwhile is refused", async () => {
  const authenticator = await enrolledAt("staff");
  const asked = authenticator.get(await requestOptions("staff"));
  const added = newAuthenticator({ origin: origins.staff }).create(await creationOptions("staff"));
  const { token } = (await signInAt("staff", authenticator)).body;
  const later = await startAuth(
    "auth: { check_breached_passwords: false }\n",
    { SERVICE_WEB_URL: origins.default, SERVICE_LOG_LEVEL: "fatal" },
    {
      databaseUrl: server.services.config.database.url,
      startsAt: server.services.clock.now().getTime(),
    },
  );
  expectRefused(await client(later.url, null).post("/auth/passkey", { credential: asked }));
  const caller = client(later.url, token);
  const reply = await caller.post<{ code: string }>("/auth/passkeys", { credential: added });
  expect([reply.status, reply.body.code]).toEqual([422, "INVALID_PASSKEY"]);
  await later.close();
});

test("an earlier release's challenges are the default site's", async () => {
  const authenticator = await enrolledAt("default");
  const asked = authenticator.get(await requestOptions("staff"), { rpId: hosts.default });
  // That release writes no site.
  await server.services.db.query("update service.passkey_challenges set site = default");
  expect((await server.anonymous.post("/auth/passkey", { credential: asked })).status).toBe(201);
});
