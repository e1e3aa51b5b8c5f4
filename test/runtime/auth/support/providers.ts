import { randomBytes } from "node:crypto";
import {
  type Claims,
  sha256,
  startProvider,
  type TestProvider,
} from "../../../support/accounts/provider.js";
import { type Client, client, type Reply } from "../../../support/http/client.js";
import type { SignInAnswer } from "./people.js";
import { type AuthServer, startAuth } from "./server.js";

/** A server whose people sign in with providers; `settings` are lines below `auth:`. */
export interface ProviderServer extends AuthServer {
  readonly provider: TestProvider;
  readonly anonymous: Client;
  /** Begins, comes back, and resolves with the ticket or the error. */
  back(name: string, claims: Claims, more?: Partial<Began>): Promise<Back>;
  /** The whole way. */
  signIn(name: string, claims: Claims): Promise<Reply<ProviderAnswer>>;
}

/** Of these, an answer has what belongs to its status. */
type ProviderAnswer = SignInAnswer & {
  readonly user: { readonly email: string; readonly role: string | null };
  readonly code?: string;
};

interface Began {
  /** Added to the query of the callback, or null to take it away. */
  readonly query: Readonly<Record<string, string | null>>;
  readonly secret: string;
  readonly returnTo: string;
}

export interface Back {
  readonly ticket: string | null;
  readonly error: string | null;
  readonly location: string;
  readonly secret: string;
  readonly url: string;
}

export const webUrl = "https://shop.example.com";

/** Resolves with a server for which the provider on this machine is every provider of `settings`. */
export async function startProviders(
  settings: (url: string) => string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ProviderServer> {
  const provider = await startProvider();
  const server = await startAuth(
    `auth:\n  check_breached_passwords: false\n${settings(provider.url)}`,
    { SERVICE_WEB_URL: webUrl, SERVICE_LOG_LEVEL: "silent", ...environment },
  );
  provider.now = server.services.clock.now;
  const anonymous = client(server.url, null);

  const back: ProviderServer["back"] = async (name, claims, more = {}) => {
    const secret = more.secret ?? randomBytes(32).toString("base64url");
    const returnTo = more.returnTo ?? `${webUrl}/sign-in/provider`;
    const began = await anonymous.post<{ url: string }>("/auth/provider", {
      provider: name,
      challenge: sha256(secret),
      returnTo,
    });
    if (began.status !== 200) throw new Error(`${began.status} ${began.text}`);
    const { url } = began.body;
    const query = provider.approve(url, claims);
    for (const [key, value] of Object.entries(more.query ?? {})) {
      if (value === null) query.delete(key);
      else query.set(key, value);
    }
    const reply = await anonymous.send("GET", `/auth/provider/callback?${query}`);
    if (reply.status !== 303) throw new Error(`${reply.status} ${reply.text}`);
    const location = reply.headers.location ?? "";
    const { searchParams } = new URL(location);
    return {
      ticket: searchParams.get("ticket"),
      error: searchParams.get("error"),
      location,
      secret,
      url,
    };
  };

  return {
    ...server,
    provider,
    anonymous,
    back,
    signIn: async (name, claims) => {
      const { ticket, error, secret } = await back(name, claims);
      if (ticket === null) throw new Error(`The provider's answer was refused: ${error}`);
      return anonymous.post("/auth/provider/verify", { ticket, secret });
    },
    close: async () => {
      await server.close();
      await provider.close();
    },
  };
}
