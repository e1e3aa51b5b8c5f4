import type { OutgoingHttpHeaders } from "node:http";
import { afterEach, expect, test } from "vitest";
import { client } from "../../../support/http/client.js";
import { type AuthServer, rightPassword, startAuth } from "../support/server.js";

let server: AuthServer;

afterEach(() => server.close());

const secret = "a shared ✓ secret of thirty-two bytes";
/** As the bytes go over the wire. */
const sentSecret = Buffer.from(secret).toString("latin1");

/** What the session remembers of a sign-in with these headers. */
async function deviceOf(headers: OutgoingHttpHeaders): Promise<string> {
  const { db } = server.services;
  server.clock.moveOn(61);
  await db.query("delete from service.sessions");
  // As bytes: Node would send the headers in the encoding of a text.
  const text = Buffer.from(JSON.stringify({ email: "ada@example.com", password: rightPassword }));
  const reply = await client(server.url, null).send("POST", "/auth/token", { text, headers });
  expect(reply.status).toBe(201);
  const [row] = await db.query<{ ip: string; browser: string | null }>(
    "select ip_address as ip, browser from service.sessions",
  );
  return `${row?.ip} ${row?.browser}`;
}

test("a dashboard with the secret passes on browser and address", async () => {
  server = await startAuth(undefined, { SERVICE_PROXY_SECRET: secret });
  await server.account("ada");
  const shown = (headers: OutgoingHttpHeaders) =>
    deviceOf({ "x-service-proxy-secret": sentSecret, ...headers });

  expect(
    await shown({
      "x-service-client-ip": "203.0.113.9",
      "x-service-client-browser": "Firefox 140",
    }),
  ).toBe("203.0.113.9 Firefox 140");
  expect(await shown({ "x-service-client-ip": "2001:db8::1, 203.0.113.9" })).toBe(
    "2001:db8::1 null",
  );
  for (const mapped of ["::ffff:203.0.113.9", "0:0:0:0:0:FFFF:cb00:7109"]) {
    expect(await shown({ "x-service-client-ip": mapped })).toBe("203.0.113.9 null");
  }
  expect(await shown({ "x-service-client-ip": "no address" })).toBe("127.0.0.1 null");
  expect(await shown({ "x-service-client-ip": "no address, 203.0.113.9" })).toBe("127.0.0.1 null");
  expect(await shown({ "x-service-client-browser": `a\tb\u0085${"c".repeat(300)}` })).toBe(
    `127.0.0.1 ab${"c".repeat(253)}`,
  );

  const claimed = { "x-service-client-ip": "203.0.113.9", "x-service-client-browser": "Firefox" };
  expect(await deviceOf(claimed)).toBe("127.0.0.1 null");
  expect(await deviceOf({ ...claimed, "x-service-proxy-secret": "wrong" })).toBe("127.0.0.1 null");
  expect(await deviceOf({ ...claimed, "x-service-proxy-secret": "" })).toBe("127.0.0.1 null");
  expect(await deviceOf({ "x-forwarded-for": "203.0.113.9" })).toBe("127.0.0.1 null");
});

test("without a secret the headers about a device are ignored", async () => {
  server = await startAuth();
  await server.account("ada");
  const claimed = { "x-service-client-ip": "203.0.113.9", "x-service-client-browser": "Firefox" };
  expect(await deviceOf(claimed)).toBe("127.0.0.1 null");
  expect(await deviceOf({ ...claimed, "x-service-proxy-secret": "" })).toBe("127.0.0.1 null");
});

test("only the configured number of forwarding proxies is trusted", async () => {
  server = await startAuth(
    "auth: { check_breached_passwords: false }\nserver: { trust_proxy: 2 }\n",
  );
  await server.account("ada");
  const seen = (header: string) => deviceOf({ "x-forwarded-for": header });

  expect(await seen("198.51.100.1, 203.0.113.9, 10.0.0.2")).toBe("203.0.113.9 null");
  expect(await seen("203.0.113.9")).toBe("203.0.113.9 null");
  expect(await seen("forged, 10.0.0.2")).toBe("10.0.0.2 null");
  expect(await seen("")).toBe("127.0.0.1 null");
});
