import { generateKeyPairSync, type JsonWebKey } from "node:crypto";
import { generateSync } from "otplib";
import sharp from "sharp";
import { coseKey, newAuthenticator } from "../support/accounts/authenticator.js";

/** What a test has to know of a filled database. */
export interface Known {
  readonly secret: string;
  readonly origin: string;
  readonly password: string;
  /** The accounts' addresses: one who manages, one with two devices and a passkey, one with a second step. */
  readonly accounts: Readonly<Record<"admin" | "ada" | "bob", string>>;
  /** The token of Ada's first device. */
  readonly token: string;
  readonly passkey: {
    readonly id: string;
    readonly userHandle: string;
    readonly privateKey: JsonWebKey;
  };
  /** Of Bob's authenticator app. */
  readonly totp: string;
  /** Of Ada's notebooks. */
  readonly totals: Readonly<Record<"all" | "draft" | "live" | "gone" | "pinned", number>>;
  /** The notebook with a cover and a manual. */
  readonly withFiles: string;
  readonly manual: string;
}

/** Who the maker of a database signs in, and with what it was started. */
export interface Given extends Pick<Known, "secret" | "origin" | "password"> {
  /** Of the server, without a path. */
  readonly url: string;
  /** Signs in with the password. */
  readonly admin: string;
}

/** Fills the app's database over HTTP as people do: accounts, devices, a passkey, a second step, records, files. */
export async function fill({ url, admin, ...given }: Given): Promise<Known> {
  const { password, origin } = given;
  const send = sender(`${url}/api`);
  const accounts = { admin, ada: "ada@example.com", bob: "bob@example.com" };
  await send("POST", "/auth/token", { body: { email: admin, password, deviceName: "Desk" } });
  const ada = await send<SignedIn>("POST", "/auth/register", {
    body: { name: "Ada", email: accounts.ada, password, deviceName: "Laptop" },
  });
  await send("POST", "/auth/token", {
    body: { email: accounts.ada, password, deviceName: "Telephone" },
  });
  const passkey = await addPasskey(send, ada, origin);
  const totp = await addBob(send, accounts.bob, password);

  const { token } = ada;
  const notebook = (body: object, headers = {}) =>
    send<{ id: string }>("POST", "/notebooks", { token, body, headers });
  const operations = Array.from({ length: 30 }, (_, n) => ({
    create: "notebooks",
    values: { title: `Notebook ${n}`, status: status(n), pinned: n % 5 === 0, price: n + 0.5 },
  }));
  await send("POST", "/_service/batch", { token, body: { operations } });
  const manual = "The manual of a notebook.\n";
  const upload = (field: string, name: string, raw: Buffer) =>
    send<{ key: string }>("PUT", `/_service/uploads/notebooks/${field}?name=${name}`, {
      token,
      raw,
    });
  const cover = await sharp({ create: { width: 40, height: 30, channels: 3, background: "teal" } })
    .png()
    .toBuffer();
  const withFiles = await notebook({
    title: "With files, Ärger & 😀",
    status: "live",
    openedOn: "2026-02-28",
    openedAt: "2026-02-28T12:30:00.125Z",
    cover: (await upload("cover", "cover.png", cover)).key,
    manual: (await upload("manual", "manual.txt", Buffer.from(manual))).key,
  });
  for (let number = 1; number <= 3; number += 1) {
    await send("POST", "/pages", {
      token,
      body: { notebookId: withFiles.id, number, text: `Page ${number}` },
    });
  }
  await notebook({ title: "Sent with a key", status: "gone" }, { "idempotency-key": "kept-1" });
  return {
    ...given,
    accounts,
    token,
    passkey,
    totp,
    totals: { all: 32, draft: 10, live: 11, gone: 11, pinned: 6 },
    withFiles: withFiles.id,
    manual,
  };
}

function status(n: number): string {
  return ["draft", "live", "gone"][n % 3] ?? "";
}

interface SignedIn {
  readonly token: string;
}

async function addPasskey(send: Send, { token }: SignedIn, origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const options = await send<CreationOptions>("POST", "/auth/passkeys/options", {
    token,
    body: {},
  });
  const credential = newAuthenticator({ origin }).create(options, {
    publicKey: coseKey(publicKey, "ES256"),
  });
  await send("POST", "/auth/passkeys", { token, body: { credential, name: "Key ring" } });
  const jwk = privateKey.export({ format: "jwk" });
  return { id: credential.id, userHandle: options.user.id, privateKey: jwk };
}

type CreationOptions = Parameters<ReturnType<typeof newAuthenticator>["create"]>[0];

async function addBob(send: Send, email: string, password: string): Promise<string> {
  const { token } = await send<SignedIn>("POST", "/auth/register", {
    body: { name: "Bob", email, password },
  });
  const { secret } = await send<{ secret: string }>("POST", "/auth/two-factor/enable", {
    token,
    body: { password, method: "totp" },
  });
  const code = generateSync({ secret });
  await send("POST", "/auth/two-factor/confirm", { token, body: { code } });
  return secret;
}

interface Sent {
  readonly token?: string;
  readonly body?: object;
  readonly raw?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

type Send = <Body>(method: string, path: string, sent: Sent) => Promise<Body>;

/** Sends requests below an address; whatever is not a success is thrown. */
function sender(address: string): Send {
  return async (method, path, { token, body, raw, headers }) => {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: {
        accept: "application/json",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body: raw === undefined ? JSON.stringify(body) : new Uint8Array(raw),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return (await response.json()) as never;
  };
}
