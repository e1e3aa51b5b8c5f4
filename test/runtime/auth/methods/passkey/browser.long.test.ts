import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium } from "../../../../support/browser/chromium.js";
import { openPasskeyPage, type PasskeyPage } from "../../../../support/browser/passkey-page.js";
import { client } from "../../../../support/http/client.js";
import { type PasskeyServer, type SignedIn, startPasskeys } from "../../support/passkeys.js";

if (!hasChromium) process.stderr.write("Chromium is not installed: its tests are skipped\n");

describe.skipIf(!hasChromium)("in a browser", () => {
  let page: PasskeyPage;
  let server: PasskeyServer;

  beforeAll(async () => {
    page = await openPasskeyPage();
    const shop = page.origin.replace("localhost", "shop.localhost");
    server = await startPasskeys(`sites: { shop: "${shop}" }`, { SERVICE_WEB_URL: page.origin });
  });
  afterAll(async () => {
    await page.close();
    await server.close();
  });

  test("a passkey is added, signs in more than once, and is not added twice", async () => {
    const person = await server.person();
    const credential = await page.create(await person.creationOptions());
    const added = await person.client.post("/auth/passkeys", { credential, name: "Browser" });
    expect(added.status, added.text).toBe(201);
    expect(added.body).toMatchObject({ name: "Browser", lastUsedAt: null });

    for (let times = 0; times < 2; times += 1) {
      const assertion = await page.get(await server.requestOptions());
      const reply = await server.anonymous.post<SignedIn>("/auth/passkey", {
        credential: assertion,
        deviceName: "Browser",
      });
      expect(reply.status, reply.text).toBe(201);
      expect(reply.body.user.id).toBe(person.id);
      expect((await client(server.url, reply.body.token).get("/auth/me")).status).toBe(200);
      const replay = await server.anonymous.post("/auth/passkey", { credential: assertion });
      expect(replay.status).toBe(401);
    }

    await expect(page.create(await person.creationOptions())).rejects.toThrow("InvalidStateError");
  });

  test("a person adds a passkey on each site, and the browser uses that of the site", async () => {
    const person = await server.person();
    const site = "shop";
    const signIn = async (options: unknown) => {
      const credential = (await page.get(options)) as { id: string };
      const reply = await server.anonymous.post<SignedIn>("/auth/passkey", { credential });
      expect(reply.status, reply.text).toBe(201);
      expect(reply.body.user.id).toBe(person.id);
      return credential.id;
    };
    const add = async (options: unknown) => {
      const credential = (await page.create(options)) as { id: string };
      expect((await person.client.post("/auth/passkeys", { credential })).status).toBe(201);
      return credential.id;
    };
    await page.move("shop.localhost");
    await expect(page.create(await person.creationOptions())).rejects.toThrow("SecurityError");
    const asked = await person.client.post("/auth/passkeys/options", { site });
    const ofShop = await add(asked.body);
    const begun = await server.anonymous.post("/auth/passkey/options", { site });
    expect(await signIn(begun.body)).toBe(ofShop);
    await expect(page.get(await server.requestOptions())).rejects.toThrow("SecurityError");
    await page.move("localhost");
    const ofDefault = await add(await person.creationOptions());
    expect(ofDefault).not.toBe(ofShop);
  });
});
