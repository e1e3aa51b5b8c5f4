import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import * as oauth4webapi from "oauth4webapi";
import * as openid from "openid-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client as Caller, client } from "../support/http/client.js";
import { type AssistedApp, startAssistedApp } from "../support/oauth/assisted-app.js";
import { callback } from "../support/oauth/documents.js";
import { decide, newVerifier, queryOf } from "../support/oauth/flow.js";

let shop: AssistedApp;
let ada: Caller;
let mcp: string;
beforeAll(async () => {
  shop = await startAssistedApp();
  ada = (await shop.app.caller(null)).client;
  mcp = `${shop.web}/api/_service/mcp`;
});
afterAll(() => shop.close());

/** Allows an assistant, as its authorize page does. */
const allow = (url: URL) => decide(ada, url.search.slice(1));

/** What an assistant keeps between its requests. */
function newProvider(clientMetadataUrl: string) {
  const kept: { tokens?: unknown; verifier?: string; opened?: URL } = {};
  const provider = {
    redirectUrl: callback,
    clientMetadataUrl,
    clientMetadata: { redirect_uris: [callback], client_name: "Test assistant" },
    clientInformation: () => ({ client_id: clientMetadataUrl }),
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (opened: URL) => void Object.assign(kept, { opened }),
    saveCodeVerifier: (verifier: string) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier ?? "",
  } as unknown as OAuthClientProvider;
  return { kept, provider };
}

test("the official client connects by the address alone, and refreshes its tokens", async () => {
  const { kept, provider } = newProvider(shop.site.publish("/sdk.json", {}));
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(mcp), { authProvider: provider });
  const first = transport();
  const made = () => new Client({ name: "sdk", version: "1" });
  await expect(made().connect(first)).rejects.toThrow(/unauthorized/i);
  const back = await allow(kept.opened ?? expect.unreachable());
  await first.finishAuth(back.searchParams);
  const assistant = made();
  await assistant.connect(transport());
  const { tools } = await assistant.listTools();
  expect(tools.map(({ name }) => name)).toContain("find");
  await shop.app.db.query("delete from service.app_tokens where kind = 'access'");
  const created = await assistant.callTool({
    name: "create",
    arguments: { resource: "products", values: { name: "Tea" } },
  });
  expect(created.isError ?? false).toBe(false);
  await assistant.close();
});

test("openid-client gets tokens, and refreshes and revokes them", async () => {
  const id = shop.site.publish("/openid.json", {});
  const config = await openid.discovery(new URL(shop.web), id, undefined, openid.None(), {
    algorithm: "oauth2",
    execute: [openid.allowInsecureRequests],
  });
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const opened = openid.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: "read",
    state: "s",
    resource: `${shop.web}/api`,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  });
  const back = await allow(opened);
  const checks = { pkceCodeVerifier, expectedState: "s" };
  const tokens = await openid.authorizationCodeGrant(config, back, checks);
  expect(tokens).toMatchObject({ token_type: "bearer", scope: "read" });
  const acting = client(shop.app.url, tokens.access_token);
  expect((await acting.get("/products")).status).toBe(200);
  const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
  await openid.tokenRevocation(config, next.refresh_token ?? "");
  expect((await acting.get("/products")).status).toBe(401);
});

test("oauth4webapi finds the server by its resource, and gets tokens", async () => {
  const options = { [oauth4webapi.allowInsecureRequests]: true };
  const issued = await oauth4webapi
    .resourceDiscoveryRequest(new URL(mcp), options)
    .then((found) => oauth4webapi.processResourceDiscoveryResponse(new URL(mcp), found));
  const issuer = new URL(issued.authorization_servers?.[0] ?? "");
  const server = await oauth4webapi
    .discoveryRequest(issuer, { ...options, algorithm: "oauth2" })
    .then((found) => oauth4webapi.processDiscoveryResponse(issuer, found));
  const app = { client_id: shop.site.publish("/web.json", {}) };
  const { verifier, challenge } = newVerifier();
  const opened = new URL(server.authorization_endpoint ?? "");
  opened.search = queryOf(app.client_id, challenge, { resource: mcp });
  const back = oauth4webapi.validateAuthResponse(server, app, await allow(opened), "xyz");
  const auth = oauth4webapi.None();
  const code = await oauth4webapi
    .authorizationCodeGrantRequest(server, app, auth, back, callback, verifier, options)
    .then((answer) => oauth4webapi.processAuthorizationCodeResponse(server, app, answer));
  const next = await oauth4webapi
    .refreshTokenGrantRequest(server, app, auth, code.refresh_token ?? "", options)
    .then((answer) => oauth4webapi.processRefreshTokenResponse(server, app, answer));
  expect(next.scope).toBe("read write");
});

/** What an assistant does by hand, as its maker documents it. */
interface Sequence {
  readonly document: object;
  readonly redirectUri: string;
  readonly scope: string | undefined;
  /** Where it looks for the resource's document. */
  readonly looksAt: (challenge: string) => string;
  readonly tool: string;
}

const byChallenge = (challenge: string) => /resource_metadata="([^"]*)"/.exec(challenge)?.[1] ?? "";

const sequences: readonly (readonly [string, Sequence])[] = [
  [
    // https://claude.com/docs/connectors: CIMD, the callback on claude.ai or claude.com.
    "claude.ai",
    {
      document: {
        client_name: "Claude",
        redirect_uris: [
          "https://claude.ai/api/mcp/auth_callback",
          "https://claude.com/api/mcp/auth_callback",
        ],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      },
      redirectUri: "https://claude.ai/api/mcp/auth_callback",
      scope: "read write",
      looksAt: byChallenge,
      tool: "list_resources",
    },
  ],
  [
    // https://developers.openai.com/apps-sdk/build/auth: it prefers a key, and takes `none` where nothing else is offered.
    "ChatGPT",
    {
      document: {
        client_name: "ChatGPT",
        redirect_uris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
        token_endpoint_auth_method: "private_key_jwt",
        token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
        jwks_uri: "https://chatgpt.com/oauth/jwks.json",
      },
      redirectUri: "https://chatgpt.com/connector_platform_oauth_redirect",
      scope: "read write",
      looksAt: () => `${shop.web}/.well-known/oauth-protected-resource/api/_service/mcp`,
      tool: "search",
    },
  ],
  [
    // https://code.visualstudio.com/api/extension-guides/ai/mcp: a port of this machine, or vscode.dev.
    "VS Code",
    {
      document: {
        client_name: "Visual Studio Code",
        application_type: "native",
        redirect_uris: ["http://127.0.0.1:33418/", "https://vscode.dev/redirect"],
        token_endpoint_auth_method: "none",
      },
      redirectUri: "http://127.0.0.1:41234/",
      scope: "read write",
      looksAt: byChallenge,
      tool: "fetch",
    },
  ],
];

async function send(token: string | null, id: number, method: string, params: object = {}) {
  const answer = await fetch(mcp, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    body: text === "" ? null : JSON.parse(text),
  };
}

const hello = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "assistant", version: "1" },
};

const read = async (url: string) => {
  const answer = await fetch(url, { headers: { "mcp-protocol-version": "2025-06-18" } });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, string> & { authorization_servers: string[] };
};

test.each(sequences)("what %s does works", async (name, { document, ...sequence }) => {
  const clientId = shop.site.publish(`/${name.length}/client.json`, document);
  const refused = await send(null, 1, "initialize", hello);
  expect(refused.status).toBe(401);
  const resource = await read(sequence.looksAt(refused.headers.get("www-authenticate") ?? ""));
  expect(resource.resource).toBe(mcp);
  const [issuer = ""] = resource.authorization_servers;
  const server = await read(`${issuer}/.well-known/oauth-authorization-server`);
  const { verifier, challenge } = newVerifier();
  const opened = new URL(server.authorization_endpoint ?? "");
  opened.search = queryOf(clientId, challenge, {
    redirect_uri: sequence.redirectUri,
    scope: sequence.scope,
    resource: resource.resource,
  });
  const back = await allow(opened);
  expect(back.searchParams.get("iss")).toBe(issuer);
  const form = (fields: Record<string, string>) =>
    fetch(server.token_endpoint ?? "", { method: "POST", body: new URLSearchParams(fields) });
  const got = await form({
    grant_type: "authorization_code",
    code: back.searchParams.get("code") ?? "",
    redirect_uri: sequence.redirectUri,
    client_id: clientId,
    code_verifier: verifier,
    resource: resource.resource ?? "",
  });
  const { refresh_token = "" } = (await got.json()) as Record<string, string>;
  const again = { grant_type: "refresh_token", refresh_token, client_id: clientId };
  const refreshed = await Promise.all([form(again), form(again)]);
  for (const answer of refreshed) {
    const { access_token = "" } = (await answer.json()) as Record<string, string>;
    expect((await send(access_token, 1, "initialize", hello)).status).toBe(200);
    const { body } = await send(access_token, 2, "tools/list");
    expect(body.result.tools).toContainEqual(expect.objectContaining({ name: sequence.tool }));
    const called = await send(access_token, 3, "tools/call", {
      name: sequence.tool,
      arguments: { query: "tea", id: "1" },
    });
    expect(called.body.result ?? called.body).toHaveProperty("content");
  }
});

test("the documents are the same at both addresses, and readable by pages of every site", async () => {
  const texts = [];
  for (const origin of [shop.web, shop.app.url]) {
    for (const path of ["oauth-protected-resource", "oauth-authorization-server"]) {
      const url = `${origin}/.well-known/${path}`;
      const answer = await fetch(url, { headers: { origin: "https://other.example.com" } });
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
      const asked = await fetch(url, { method: "OPTIONS" });
      expect(asked.status).toBe(204);
      expect(asked.headers.get("access-control-allow-headers")).toBe("*");
      texts.push(await answer.text());
    }
  }
  expect(texts.slice(0, 2)).toEqual(texts.slice(2));
  const { web } = shop;
  const resource = {
    resource: mcp,
    authorization_servers: [web],
    scopes_supported: ["read", "write"],
    bearer_methods_supported: ["header"],
    resource_name: "Shop",
  };
  expect(texts.slice(0, 2).map((text) => JSON.parse(text))).toEqual([
    resource,
    {
      issuer: web,
      authorization_endpoint: `${web}/oauth/authorize`,
      token_endpoint: `${web}/api/oauth/token`,
      revocation_endpoint: `${web}/api/oauth/revoke`,
      scopes_supported: ["read", "write"],
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["none"],
      revocation_endpoint_auth_methods_supported: ["none"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    },
  ]);
  for (const origin of [web, shop.app.url]) {
    const below = `${origin}/.well-known/oauth-protected-resource/api/_service/mcp`;
    expect(await (await fetch(below)).json()).toEqual(resource);
  }
});
