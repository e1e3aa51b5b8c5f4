import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { CompactSign, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

export type Claims = Readonly<Record<string, unknown>>;

/** Parts of an ID token, for a test to change. */
export interface TokenParts {
  readonly claims: Claims;
  readonly header: Readonly<Record<string, unknown>>;
}

/** Faults of a provider, all optional. */
export interface Lies {
  /** Changes an ID token before it is signed, or is the token. */
  token?: ((parts: TokenParts) => TokenParts | string | Promise<string>) | undefined;
  /** Changes the metadata. */
  metadata?: Claims | undefined;
  /** Answers a request itself; false leaves it to the provider. */
  answer?: ((path: string, response: ServerResponse) => boolean) | undefined;
  userInfo?: Claims | undefined;
}

/** A provider of every kind on this machine, whose claims and faults the test sets. */
export interface TestProvider {
  readonly url: string;
  readonly lies: Lies;
  /** Methods and paths of the requests received. */
  readonly asked: string[];
  /** Forms that its token endpoint received. */
  readonly forms: URLSearchParams[];
  readonly headers: IncomingMessage["headers"][];
  now: () => Date;
  /** Account signed in at the provider, in a browser; null refuses. */
  person: Claims | null;
  /** GitHub's answers. */
  github: { user: unknown; emails: unknown };
  /** Signs in at this authorization address, and resolves with the query of the callback. */
  approve(address: string, claims: Claims): URLSearchParams;
  sign(claims: Claims, header?: Claims): Promise<string>;
  /** Signs serialised claims, which may be invalid JSON. */
  signText(claims: string, header?: Claims): Promise<string>;
  /** Signs with other keys from now on. */
  changeKeys(kid: string): Promise<void>;
  close(): Promise<void>;
}

interface Code {
  readonly claims: Claims;
  readonly asked: URLSearchParams;
}

export const tenant = "11111111-2222-4333-8444-555555555555";

export async function startProvider(): Promise<TestProvider> {
  const codes = new Map<string, Code>();
  let keys = await newKeys("first");
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const provider: TestProvider = {
    url,
    lies: {},
    asked: [],
    forms: [],
    headers: [],
    now: () => new Date(),
    person: null,
    github: { user: {}, emails: [] },
    approve: (address, claims) => {
      const { searchParams, pathname } = new URL(address);
      const code = randomBytes(16).toString("base64url");
      codes.set(code, { claims, asked: searchParams });
      const query = new URLSearchParams({ code, state: searchParams.get("state") ?? "" });
      if (pathname === "/login/oauth/authorize") query.set("iss", `${url}/login/oauth`);
      return query;
    },
    sign: (claims, header = {}) => sign({ claims, header: { ...keys.header, ...header } }),
    signText: (claims, header = {}) =>
      new CompactSign(new TextEncoder().encode(claims))
        .setProtectedHeader({ alg: "RS256", ...keys.header, ...header })
        .sign(keys.privateKey),
    changeKeys: async (kid) => {
      keys = await newKeys(kid);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return provider;

  function sign({ claims, header }: TokenParts): Promise<string> {
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: "RS256", ...header })
      .sign(keys.privateKey);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    provider.asked.push(`${request.method} ${path}`);
    if (provider.lies.answer?.(path, response)) return;
    const json = (body: unknown, status = 200) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (path.endsWith("/.well-known/openid-configuration")) {
      const base = path.slice(0, -"/.well-known/openid-configuration".length);
      const named = base.replace(/^\/(?:common|organizations)\//, "/{tenantid}/");
      return json({
        issuer: url + named,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token${base}`,
        jwks_uri: `${url}/jwks`,
        userinfo_endpoint: `${url}/userinfo`,
        token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
        ...provider.lies.metadata,
      });
    }
    if (path.startsWith("/authorize")) {
      const { person } = provider;
      const asked = new URL(path, url).searchParams;
      const denied = new URLSearchParams({ state: asked.get("state") ?? "", error: "denied" });
      const query = person === null ? denied : provider.approve(url + path, person);
      response.writeHead(303, { location: `${asked.get("redirect_uri")}?${query}` }).end();
      return;
    }
    if (path === "/jwks") return json({ keys: [keys.jwk] });
    if (path === "/userinfo") return json(provider.lies.userInfo ?? { sub: "nobody" });
    if (path === "/api/v3/user") return json(provider.github.user);
    if (path === "/api/v3/user/emails") return json(provider.github.emails);
    if (path.startsWith("/token") || path === "/login/oauth/access_token") {
      const form = new URLSearchParams(await text(request));
      provider.forms.push(form);
      provider.headers.push(request.headers);
      const given = codes.get(form.get("code") ?? "");
      codes.delete(form.get("code") ?? "");
      const verifier = form.get("code_verifier") ?? "";
      const isRight =
        given !== undefined &&
        given.asked.get("code_challenge") === sha256(verifier) &&
        given.asked.get("redirect_uri") === form.get("redirect_uri");
      if (!isRight) return json({ error: "invalid_grant" }, 400);
      const token = { access_token: "access", token_type: "Bearer" };
      if (!path.startsWith("/token")) return json(token);
      return json({ ...token, id_token: await idToken(path.slice("/token".length), given) });
    }
    return json({ error: "not_found" }, 404);
  }

  async function idToken(base: string, { claims, asked }: Code): Promise<string> {
    const parts = {
      claims: {
        ...usualClaims(base, asked.get("client_id") ?? ""),
        nonce: asked.get("nonce"),
        ...claims,
      },
      header: keys.header,
    };
    const lied = (await provider.lies.token?.(parts)) ?? parts;
    return typeof lied === "string" ? lied : sign(lied);
  }

  function usualClaims(base: string, aud: string): Claims {
    const iat = Math.floor(provider.now().getTime() / 1000);
    return { iss: url + base, aud, iat, exp: iat + 300 };
  }
}

async function newKeys(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" };
  return { privateKey, jwk, header: { kid } };
}

export function sha256(words: string): string {
  return createHash("sha256").update(words).digest("base64url");
}
