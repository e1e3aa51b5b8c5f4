import { randomBytes } from "node:crypto";
import pg from "pg";
import { Upload } from "tus-js-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient, isApiError } from "../../fixtures/apps/shop/generated/client.js";
import { type RunningProxy, startCaddy, startNginx } from "../support/deploy/proxies.js";
import { hasTool } from "../support/deploy/tools.js";
import { deployTexts } from "../support/deploy/written.js";
import { type Cut, openCuttingProxy } from "../support/http/cutting-proxy.js";
import { stateOf } from "../support/http/tus.js";
import { fields } from "../support/pictures/pictures.js";
import { openHost, type ShopHost, type ShopServer } from "../support/processes/shop-process.js";
import { download } from "../support/storage/files.js";

let host: ShopHost;
let server: ShopServer;
let other: ShopServer;

beforeAll(async () => {
  host = await openHost(`server: { trust_proxy: 1 }
uploads:
  max_bytes: 1000000
  resumable: { max_bytes: 200000000, pending_bytes: 800000000 }
`);
  server = await host.serve();
  other = await host.serve();
});
afterAll(() => host.close());

const bytes = Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(20_000_000)]);

/** Connections that end after so many bytes, and then one that does not. */
const cuts: readonly Cut[] = [
  { sent: 300_000 },
  { sent: 5_000_000 },
  // The answer is lost.
  { received: 10 },
  { sent: 2_000_000 },
  { sent: 1_500_000 },
];

async function isStored(url: string): Promise<void> {
  expect((await download(other.url, url)).bytes.equals(bytes)).toBe(true);
}

/** Sends the file with the defaults of tus-js-client: one PATCH for all of it. */
function byTus(url: string, file: Buffer, name = "big.pdf"): Promise<{ url: string }> {
  return new Promise((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint: `${url}/api/_service/uploads/products/manual/resumable`,
      headers: { authorization: `Bearer ${server.token}` },
      metadata: { filename: name, filetype: "application/pdf" },
      retryDelays: Array.from({ length: 20 }, () => 50),
      onError: reject,
      // Where the last response is lost, it knows by HEAD that nothing is missing, and asks no more.
      onSuccess: () =>
        void stateOf(server.admin, new URL(upload.url ?? "").pathname.replace("/api", ""))
          .then(({ state, file }) => {
            expect(state).toBe("done");
            resolve({ url: file?.url ?? "" });
          })
          .catch(reject),
    });
    upload.start();
  });
}

describe("tus-js-client with its defaults", () => {
  test("sends a file", async () => {
    await isStored((await byTus(server.url, bytes)).url);
  });

  test("continues over a network that loses connections", async () => {
    const proxy = await openCuttingProxy(server.url, cuts);
    await isStored((await byTus(proxy.url, bytes)).url);
    expect(proxy.opened()).toBeGreaterThan(3);
    await proxy.close();
  });

  test("gets the reason why a file is refused", async () => {
    const zip = Buffer.concat([Buffer.from("PK\u0003\u0004"), randomBytes(200_000)]);
    await expect(byTus(server.url, zip, "a.pdf")).rejects.toThrow("response code: 422");
    await expect(byTus(server.url, zip, "a.png")).rejects.toThrow("response code: 422");
  });
});

const isComplete = [hasTool("nginx", "-v"), hasTool("caddy", "version")].every(Boolean);

describe.skipIf(!isComplete)("behind the proxies that init --deploy sets up", () => {
  test.each([
    ["nginx", (text: Texts, ports: number[]) => startNginx(text["deploy/nginx.conf"] ?? "", ports)],
    ["Caddy", (text: Texts, ports: number[]) => startCaddy(text["deploy/Caddyfile"] ?? "", ports)],
  ] as const)("%s streams one PATCH of the whole file to the server", async (_, start) => {
    const ports = [server, other].map(({ url }) => Number(new URL(url).port));
    const proxy: RunningProxy = await start(deployTexts(host.root), ports);
    const url = `http://127.0.0.1:${proxy.port}`;
    await isStored((await byTus(url, bytes)).url);
    const cutting = await openCuttingProxy(url, cuts);
    await isStored((await byTus(cutting.url, bytes)).url);
    await cutting.close();
    await proxy.stop();
  });
});

type Texts = Readonly<Record<string, string>>;

async function uploadsOf(name: string): Promise<readonly object[]> {
  const db = new pg.Client({ connectionString: host.databaseUrl });
  await db.connect();
  const { rows } = await db.query("select state from service.resumable_uploads where name = $1", [
    name,
  ]);
  await db.end();
  return rows;
}

describe("the generated client with `resumable`", () => {
  test.each([
    ["a Blob", new Blob([bytes], { type: "application/pdf" })],
    ["bytes", new Uint8Array(bytes)],
  ])("continues over a network that loses connections: %s", async (_, file) => {
    const proxy = await openCuttingProxy(server.url, cuts);
    const { products } = createClient({ url: `${proxy.url}/api`, token: server.token });
    const loads: number[] = [];
    const details = await products.upload.manual(file, {
      name: "Anleitung ü.pdf",
      resumable: true,
      onProgress: ({ loaded }) => loads.push(loaded),
    });
    expect(details).toMatchObject({ name: "Anleitung ü.pdf", size: bytes.length });
    expect(loads.at(-1)).toBe(bytes.length);
    await isStored(details.url);
    await proxy.close();
  });

  test("ends the upload at the server when its signal is aborted", async () => {
    const { products } = createClient({ url: `${server.url}/api`, token: server.token });
    const ending = new AbortController();
    const upload = products.upload.manual(new Blob([bytes]), {
      name: "unwanted.pdf",
      resumable: true,
      signal: ending.signal,
      onProgress: ({ loaded }) => {
        if (loaded > 0) ending.abort(new Error("no longer wanted"));
      },
    });
    await expect(upload).rejects.toThrow("no longer wanted");
    expect(await uploadsOf("unwanted.pdf")).toEqual([]);
  });

  test("sends a picture", async () => {
    const { products } = createClient({ url: `${server.url}/api`, token: server.token });
    const photo = await fields({ width: 640, height: 640 }).png().toBuffer();
    const details = await products.upload.image(new Blob([photo]), {
      name: "photo.png",
      resumable: true,
    });
    expect(details).toMatchObject({ mime: "image/webp", optimised: true });
    expect(await uploadsOf("photo.png")).toEqual([{ state: "done" }]);
  });

  test("throws the server's refusal", async () => {
    const { products } = createClient({ url: `${server.url}/api`, token: server.token });
    const text = new Blob(["x".repeat(9_000)]);
    const refused = products.upload.manual(text, { name: "a.pdf", resumable: true });
    await expect(refused).rejects.toSatisfy((error) => isApiError(error, 422));
    const stream = new Blob(["x"]).stream() as AsyncIterable<Uint8Array>;
    const never = products.upload.manual(stream, { name: "a.pdf", resumable: true });
    await expect(never).rejects.toThrow(TypeError);
  });
});
