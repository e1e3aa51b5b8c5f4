import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { created, expectRefusal } from "../support/apps/shop.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { client } from "../support/http/client.js";
import { block } from "./pages.js";

const page = "docs/own-code";
const audience = "https://api.example.com";

let issuer: string;
let provider: Server;
let app: WrittenApp;
type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
let [own, other]: Pair[] = [];

/** A provider of tokens, and the recipe behind it. */
beforeAll(async () => {
  [own, other] = await Promise.all([generateKeyPair("RS256"), generateKeyPair("RS256")]);
  const keys = { keys: [{ ...(await exportJWK(keyOf(own).publicKey)), kid: "own", alg: "RS256" }] };
  provider = createServer((request, response) => {
    response.statusCode = request.url === "/.well-known/jwks.json" ? 200 : 404;
    response.end(JSON.stringify(keys));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => provider.once("listening", resolve));
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/`;
  app = await startWrittenApp({
    descriptors: new Map([["notes.yaml", block(page, "Custom sign-in", 2)]]),
    server: block(page, "Custom sign-in").replace("await app.listen();", "export { app };"),
    settings: "auth: { enabled: false }\nserver: { host: 127.0.0.1 }\n",
    packages: ["jose"],
    variables: { AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience },
  });
});
afterAll(async () => {
  await app.close();
  provider.close();
});

function keyOf(pair: Pair | undefined): Pair {
  return pair ?? expect.unreachable();
}

interface Token {
  readonly claims?: JWTPayload;
  readonly key?: Pair["privateKey"] | Uint8Array;
  readonly alg?: string;
}

function tokenOf(sub: string, { claims = {}, key, alg = "RS256" }: Token = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ sub, iss: issuer, aud: audience, iat: now, exp: now + 60, ...claims })
    .setProtectedHeader({ alg, kid: "own" })
    .sign(key ?? keyOf(own).privateKey);
}

test("a token of the provider makes its caller the owner", async () => {
  const ada = client(app.url, await tokenOf("auth0|ada"));
  const bob = client(app.url, await tokenOf("auth0|bob", { claims: { role: "admin" } }));
  const note = await created(ada, "notes", { text: "Tea" });
  expect(note.author).toBe("auth0|ada");
  expect((await ada.get(`/notes/${note.id}`)).body).toEqual(note);
  expectRefusal(await bob.get(`/notes/${note.id}`), 404);
  expect((await bob.list("/notes")).body.meta.total).toBe(0);
});

test("any other token is 401", async () => {
  const minute = Math.floor(Date.now() / 1000) - 60;
  const none = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify({ sub: "ada" }))}.`;
  const refused = await Promise.all([
    "nothing",
    none.replaceAll("=", ""),
    tokenOf("ada", { key: keyOf(other).privateKey }),
    tokenOf("ada", {
      key: new TextEncoder().encode("a secret of 32 bytes, not their key"),
      alg: "HS256",
    }),
    tokenOf("ada", { claims: { exp: minute } }),
    tokenOf("ada", { claims: { aud: "https://other.example.com" } }),
    tokenOf("ada", { claims: { iss: "https://other.example.com/" } }),
  ]);
  for (const token of refused) expectRefusal(await client(app.url, token).get("/notes"), 401);
  expectRefusal(await client(app.url, null).get("/notes"), 401);
});
