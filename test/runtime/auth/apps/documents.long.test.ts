import { afterAll, beforeAll, expect, test } from "vitest";
import { type DocumentSite, startDocumentSite } from "../../../support/oauth/documents.js";
import { newVerifier, queryOf } from "../../../support/oauth/flow.js";
import { type Person, person } from "../support/people.js";
import { type AuthServer, startAuth } from "../support/server.js";

const web = "https://shop.example.com";
const { challenge } = newVerifier();

let site: DocumentSite;
let server: AuthServer;
let ada: Person;
beforeAll(async () => {
  site = await startDocumentSite();
  server = await startAuth(
    "auth: { check_breached_passwords: false, apps: { allow: any } }\nwebhooks: { allow: [127.0.0.1] }\n",
    { SERVICE_WEB_URL: web, SERVICE_LOG_LEVEL: "silent" },
  );
  ada = await person(server, "ada");
});
afterAll(async () => {
  await server.close();
  await site.close();
});

const ask = (clientId: string) =>
  ada.caller.post<{ error?: string; client?: { name: string | null } }>("/oauth/authorize", {
    query: queryOf(clientId, challenge),
  });

test.each<[string, object]>([
  ["names another client", { client_id: "https://claude.ai/client.json" }],
  ["names none", { client_id: undefined }],
  ["has no redirect addresses", { redirect_uris: undefined }],
  ["has one that is no text", { redirect_uris: [1] }],
  ["wants to sign in with a secret", { token_endpoint_auth_method: "client_secret_basic" }],
  [
    "wants to sign in with a key",
    {
      token_endpoint_auth_methods_supported: ["private_key_jwt"],
      token_endpoint_auth_method: undefined,
    },
  ],
])("an app is refused if its document %s", async (name, document) => {
  expect((await ask(site.publish(`/${name.length}.json`, document))).status).toBe(400);
});

test.each<[string, object]>([
  ["names none", { token_endpoint_auth_method: undefined }],
  [
    "prefers a key, and can do without, as ChatGPT's",
    {
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
    },
  ],
  [
    "is also for other things",
    { logo_uri: "https://app.example.com/logo.png", contacts: [], jwks: null },
  ],
])("an app is accepted if its document %s", async (name, document) => {
  expect((await ask(site.publish(`/good-${name.length}.json`, document))).status).toBe(200);
});

test("no redirect is followed, to any address", async () => {
  const aim = site.publish("/aim.json", {});
  for (const status of [301, 302, 303, 307, 308]) {
    const from = site.publish("/from.json", (_, response) => {
      response.writeHead(status, { location: aim }).end();
    });
    expect((await ask(from)).status).toBe(400);
  }
  expect(site.asked).not.toContain("/aim.json");
});

test("a document of a gigabyte is cut off", async () => {
  let sent = 0;
  const endless = site.publish("/endless.json", (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const chunk = Buffer.alloc(65_536, " ");
    const more = () => {
      while (sent < 2 ** 30 && !response.destroyed) {
        sent += chunk.length;
        if (!response.write(chunk)) return;
      }
      response.end();
    };
    response.on("drain", more);
    more();
  });
  expect((await ask(endless)).status).toBe(400);
  expect(sent).toBeLessThan(2 ** 25);
  const size = (bytes: number) => {
    const client_name = "a".repeat(bytes);
    return ask(site.publish("/sized.json", { client_name }));
  };
  expect((await size(9_000)).status).toBe(200);
  expect((await size(10_240)).status).toBe(400);
});

test("a document whose server hangs is abandoned", async () => {
  const hanging = site.publish("/hanging.json", (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write("{");
  });
  const [late, other] = await Promise.all([ask(hanging), ask(site.publish("/quick.json", {}))]);
  expect([late.status, other.status]).toEqual([400, 200]);
}, 20_000);

test.each(["/missing.json"])("a missing document is refused", async (path) => {
  expect((await ask(`${site.origin}${path}`)).status).toBe(400);
});

test("a document that is not JSON is refused", async () => {
  const page = site.publish("/page.json", (_, response) => void response.end("<html>"));
  expect((await ask(page)).status).toBe(400);
  const list = site.publish("/list.json", (_, response) => void response.end("[]"));
  expect((await ask(list)).status).toBe(400);
});

test.each([
  "https://10.0.0.1/client.json",
  "https://169.254.169.254/latest/meta-data",
  "https://[::1]/client.json",
  "https://[::ffff:a00:1]/client.json",
  "https://192.168.0.1:8443/client.json",
  "https://0.0.0.0/client.json",
])("no request goes to %s, and the reason is not shown", async (address) => {
  const { status, body } = await ask(address);
  expect([status, body.error]).toEqual([400, "The app's document cannot be read"]);
});

test("an app's name is shown as one short plain line", async () => {
  const nameOf = async (client_name: unknown) => {
    const { body } = await ask(site.publish("/named.json", { client_name }));
    return body.client?.name;
  };
  expect(await nameOf("  Claude\n\u202eedualC\u0000 ")).toBe("Claude edualC");
  expect(await nameOf("a".repeat(500))).toBe("a".repeat(100));
  expect(await nameOf("\u200b")).toBeNull();
  expect(await nameOf(42)).toBeNull();
  expect(await nameOf(undefined)).toBeNull();
});
