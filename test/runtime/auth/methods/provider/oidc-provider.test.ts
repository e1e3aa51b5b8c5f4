import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import Provider from "oidc-provider";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sha256 } from "../../../../support/accounts/provider.js";
import { client } from "../../../../support/http/client.js";
import type { SignInAnswer } from "../../support/people.js";
import { webUrl } from "../../support/providers.js";
import { type AuthServer, startAuth } from "../../support/server.js";

// A certified provider, which refuses what is not by the specification: what ours makes up may forgive too much.

let issuer: string;
let provider: Server;
let oidc: Provider;
let server: AuthServer;

beforeAll(async () => {
  provider = createServer();
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  server = await startAuth(
    `auth:
  check_breached_passwords: false
  providers:
    acme: { issuer: "${issuer}", client_id: shop, client_secret: a secret of the shop, register: true }
`,
    { SERVICE_WEB_URL: webUrl },
    { startsAt: Date.now() },
  );
  oidc = await certified();
  provider.on("request", oidc.callback());
});
afterAll(async () => {
  await server.close();
  provider.closeAllConnections();
  await new Promise((resolve) => provider.close(resolve));
});

async function certified(): Promise<Provider> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: "one", alg: "RS256", use: "sig" }] },
    clients: [
      {
        client_id: "shop",
        client_secret: "a secret of the shop",
        redirect_uris: [`${webUrl}/api/auth/provider/callback`],
        backchannel_logout_uri: `${server.url}/api/auth/provider/logout`,
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    cookies: { keys: ["a key of the tests"] },
    ttl: { Interaction: 60, Session: 60, Grant: 60, AccessToken: 60, IdToken: 60 },
    pkce: { required: () => true },
    features: { backchannelLogout: { enabled: true } },
    // Its own guards against addresses of this machine, where the server is.
    fetch: (url, { method, headers, body } = {}) =>
      fetch(url, { method, headers, body } as RequestInit),
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: `${id}@example.com`,
        email_verified: true,
        name: "Ada of Acme",
      }),
    }),
  });
}

/** Follows the provider's pages as a browser does, until it is sent back; resolves with that address. */
async function comeBack(url: string, login: string): Promise<string> {
  const jar = new Map<string, string>();
  let next = url;
  let form: URLSearchParams | null = null;
  for (let step = 0; step < 12; step += 1) {
    const cookie = [...jar].map((pair) => pair.join("=")).join("; ");
    const answer: Response = await fetch(next, {
      redirect: "manual",
      headers: { cookie },
      ...(form !== null && { method: "POST", body: form }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    const location = answer.headers.get("location");
    form = null;
    if (location === null) {
      const page = await answer.text();
      const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1] ?? "";
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? "";
      if (action === "") throw new Error(page.slice(0, 500));
      form = new URLSearchParams({ prompt, login, password: "any" });
      next = new URL(action, next).href;
    } else {
      next = new URL(location, next).href;
      if (next.startsWith(webUrl)) return next;
    }
  }
  throw new Error("The provider does not come to an end");
}

test("a user of a certified provider, which returns the address from userinfo, is signed in and signed out", async () => {
  const anonymous = client(server.url, null);
  const secret = randomBytes(32).toString("base64url");
  const began = await anonymous.post<{ url: string }>("/auth/provider", {
    provider: "acme",
    challenge: sha256(secret),
    returnTo: `${webUrl}/sign-in/provider`,
  });
  expect(began.status, began.text).toBe(200);
  const { search } = new URL(await comeBack(began.body.url, "ada"));
  expect(new URLSearchParams(search).get("iss")).toBe(issuer);
  const back = await anonymous.send("GET", `/auth/provider/callback${search}`);
  const ticket = new URL(back.headers.location ?? "").searchParams.get("ticket");
  const reply = await anonymous.post<SignInAnswer>("/auth/provider/verify", { ticket, secret });
  expect(reply.status, reply.text).toBe(201);
  expect(reply.body).toMatchObject({
    user: { name: "Ada of Acme", email: "ada@example.com", role: null },
  });
  // The provider itself refuses a code that was used.
  const again = await anonymous.send("GET", `/auth/provider/callback${search}`);
  expect(again.status).toBe(401);

  // The provider throws where its logout token is not answered with 200.
  const { token } = reply.body;
  const shop = (await oidc.Client.find("shop")) as unknown as LeavingClient;
  await shop.backchannelLogout("somebody else", "a session");
  expect((await client(server.url, token).get("/auth/me")).status).toBe(200);
  await shop.backchannelLogout("ada", "a session");
  expect((await client(server.url, token).get("/auth/me")).status).toBe(401);
});

/** Sends the logout token of a sign-out at the provider; its types omit the method. */
interface LeavingClient {
  backchannelLogout(subject: string, session: string): Promise<void>;
}
