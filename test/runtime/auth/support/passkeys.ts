import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { expect } from "vitest";
import {
  type AssertionKnobs,
  type Authenticator,
  type AuthenticatorOptions,
  type CreationKnobs,
  newAuthenticator,
} from "../../../support/accounts/authenticator.js";
import { type Client, client, type Reply } from "../../../support/http/client.js";
import { type AuthServer, rightPassword, startAuth } from "./server.js";

/** The dashboard's origin in these tests. */
export const origin = "https://shop.example.com";

/** The account routes with passkeys for the dashboard at `origin`. */
export interface PasskeyServer extends AuthServer {
  readonly anonymous: Client;
  /** A new account, signed in with its password. */
  person(): Promise<PasskeyPerson>;
  /** What `POST /auth/passkey/options` answers. */
  requestOptions(): Promise<PublicKeyCredentialRequestOptionsJSON>;
  /** Asks for options and signs in with what the authenticator makes of them, never ten times a minute. */
  signIn(authenticator: Authenticator, knobs?: AssertionKnobs): Promise<Reply<SignedIn>>;
}

/** Somebody who is signed in and may add passkeys. */
export interface PasskeyPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly client: Client;
  /** What `POST /auth/passkeys/options` answers. */
  creationOptions(): Promise<PublicKeyCredentialCreationOptionsJSON>;
  /** Asks for options and adds what the authenticator makes of them. */
  add(authenticator: Authenticator, knobs?: CreationKnobs): Promise<Reply<Passkey>>;
  /** A new authenticator with a passkey of this account. */
  enrolled(options?: Partial<AuthenticatorOptions>): Promise<Authenticator>;
}

export interface SignedIn {
  readonly token: string;
  readonly user: { readonly id: string };
}

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly deviceType: string;
  readonly backedUp: boolean;
}

/** Fails unless the answer is the one that every passkey gets which is not accepted. */
export function expectRefused(reply: Reply): void {
  expect(reply.status, reply.text).toBe(401);
  expect(reply.body).toEqual({
    error: "The passkey could not be verified",
    code: "INVALID_PASSKEY",
  });
  expect(reply.headers["cache-control"]).toBe("no-store");
  expect(reply.headers["www-authenticate"]).toBeUndefined();
}

/** A new authenticator behind a browser at the dashboard. */
export function atDashboard(options: Partial<AuthenticatorOptions> = {}): Authenticator {
  return newAuthenticator({ origin, ...options });
}

/** Starts it with these settings below `auth:` and with these environment variables. */
export async function startPasskeys(
  settings = "",
  environment: Readonly<Record<string, string>> = {},
): Promise<PasskeyServer> {
  const server = await startAuth(
    `server: { max_json_bytes: 4194304 }\nauth: { check_breached_passwords: false, ${settings} }\n`,
    { SERVICE_WEB_URL: origin, SERVICE_LOG_LEVEL: "fatal", ...environment },
  );
  const anonymous = client(server.url, null);
  let people = 0;

  async function person(): Promise<PasskeyPerson> {
    people += 1;
    const name = `person${people}`;
    const email = await server.account(name);
    const { body } = await anonymous.post<SignedIn>("/auth/token", {
      email,
      password: rightPassword,
    });
    const signedIn = client(server.url, body.token);

    async function creationOptions() {
      return ok<PublicKeyCredentialCreationOptionsJSON>(
        await signedIn.post("/auth/passkeys/options", {}),
      );
    }

    async function add(authenticator: Authenticator, knobs?: CreationKnobs) {
      const credential = authenticator.create(await creationOptions(), knobs);
      return signedIn.post<Passkey>("/auth/passkeys", { credential });
    }

    async function enrolled(options?: Partial<AuthenticatorOptions>) {
      const authenticator = atDashboard(options);
      const reply = await add(authenticator);
      expect(reply.status, reply.text).toBe(201);
      return authenticator;
    }

    return { id: body.user.id, name, email, client: signedIn, creationOptions, add, enrolled };
  }

  async function requestOptions() {
    return ok<PublicKeyCredentialRequestOptionsJSON>(
      await anonymous.post("/auth/passkey/options", {}),
    );
  }

  return {
    ...server,
    anonymous,
    person,
    requestOptions,
    signIn: async (authenticator, knobs) => {
      server.clock.moveOn(7);
      const credential = authenticator.get(await requestOptions(), knobs);
      return anonymous.post("/auth/passkey", { credential });
    },
  };
}

function ok<Body>(reply: Reply<unknown>): Body {
  expect(reply.status, reply.text).toBe(200);
  return reply.body as Body;
}
