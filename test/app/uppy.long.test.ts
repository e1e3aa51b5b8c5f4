import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium, startChromium } from "../support/browser/chromium.js";
import { startCaddy, startNginx } from "../support/deploy/proxies.js";
import { hasTool } from "../support/deploy/tools.js";
import { deployTexts } from "../support/deploy/written.js";
import { openCuttingProxy } from "../support/http/cutting-proxy.js";
import { openHost, type ShopHost, type ShopServer } from "../support/processes/shop-process.js";
import { download } from "../support/storage/files.js";

/** What a front end has with Uppy, and with tus-js-client alone, each with its defaults. */
const page = `
import Uppy from "@uppy/core";
import Tus from "@uppy/tus";
import { Upload } from "tus-js-client";

/** The same bytes as the test makes. */
function fileOf(size) {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 1) bytes[at] = (at * 7 + (at >> 8)) & 255;
  bytes.set(new TextEncoder().encode("%PDF-1.7\\n"));
  return new File([bytes], "große Datei.pdf", { type: "application/pdf" });
}

window.byUppy = async ({ endpoint, token, size }) => {
  const uppy = new Uppy();
  uppy.use(Tus, { endpoint, headers: { authorization: "Bearer " + token }, retryDelays: Array(20).fill(100) });
  const file = fileOf(size);
  uppy.addFile({ name: file.name, type: file.type, data: file });
  const { successful, failed } = await uppy.upload();
  if (failed.length > 0) throw new Error(failed[0].error);
  return successful[0].uploadURL;
};

window.byTus = ({ endpoint, token, size }) =>
  new Promise((resolve, reject) => {
    const file = fileOf(size);
    const upload = new Upload(file, {
      endpoint,
      headers: { authorization: "Bearer " + token },
      metadata: { filename: file.name, filetype: file.type },
      retryDelays: Array(20).fill(100),
      onError: reject,
      onSuccess: () => resolve(upload.url),
    });
    upload.start();
  });
`;

const size = 6_000_000;
const bytes = Buffer.alloc(size);
for (let at = 0; at < size; at += 1) bytes[at] = (at * 7 + (at >> 8)) & 255;
bytes.write("%PDF-1.7\n");
const digest = (content: Buffer) => createHash("sha256").update(content).digest("hex");

async function bundle(): Promise<string> {
  const name = "page.js";
  const made = await build({
    configFile: false,
    logLevel: "error",
    root: resolve(import.meta.dirname, "../.."),
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [
      {
        name: "page",
        resolveId: (id) => (id.endsWith(name) ? `${import.meta.dirname}/${name}` : null),
        load: (id) => (id.endsWith(name) ? page : null),
      },
    ],
    build: { write: false, lib: { entry: name, formats: ["es"] } },
  });
  const [first] = Array.isArray(made) ? made : [made];
  const [chunk] = first !== undefined && "output" in first ? first.output : [];
  return chunk?.type === "chunk" ? chunk.code : "";
}

describe.skipIf(!hasChromium)("in Chromium, from another origin", () => {
  let browser: Browser;
  let site: Server;
  let origin: string;
  let host: ShopHost;
  let server: ShopServer;
  beforeAll(async () => {
    const script = await bundle();
    site = createServer(({ url }, response) => {
      const isScript = url === "/page.js";
      response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
      const html =
        '<!doctype html><title>Uploads</title><script type="module" src="/page.js"></script>';
      response.end(isScript ? script : html);
    });
    await new Promise<void>((done) => site.listen(0, "localhost", done));
    origin = `http://localhost:${(site.address() as AddressInfo).port}`;
    host = await openHost(
      `server: { cors_origins: ["${origin}"], trust_proxy: 1 }\nuploads: { resumable: { max_bytes: 100000000 } }\n`,
    );
    server = await host.serve();
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser.close();
    site.close();
    await host.close();
  });

  type Way = "byUppy" | "byTus";
  async function isUploaded(window: Page, { way, to }: { way: Way; to: string }): Promise<void> {
    const given = {
      endpoint: `${to}/api/_service/uploads/products/manual/resumable`,
      token: server.token,
      size,
    };
    type Window = Record<string, (one: typeof given) => Promise<string>>;
    const url = await window.evaluate(
      ([name, one]) => (globalThis as unknown as Window)[name]?.(one),
      [way, given] as const,
    );
    const path = new URL(url ?? "").pathname.replace("/api", "");
    const { body } = await server.admin.get<{ file: { url: string; name: string } }>(path);
    expect(body.file.name).toBe("große Datei.pdf");
    expect(digest((await download(server.url, body.file.url)).bytes)).toBe(digest(bytes));
  }

  test.each(["byUppy", "byTus"] as const)(
    "a file is uploaded with the defaults: %s",
    async (way) => {
      const window = await browser.newPage();
      await window.goto(origin);
      for (const cuts of [[], [{ sent: 400_000 }, { sent: 300_000 }, { received: 20 }]]) {
        const proxy = await openCuttingProxy(server.url, cuts);
        await isUploaded(window, { way, to: proxy.url });
        await proxy.close();
      }
      await window.close();
    },
  );

  const isComplete = [hasTool("nginx", "-v"), hasTool("caddy", "version")].every(Boolean);
  test.skipIf(!isComplete).each([
    ["nginx", "deploy/nginx.conf", startNginx],
    ["Caddy", "deploy/Caddyfile", startCaddy],
  ] as const)("a file is uploaded with the defaults through %s", async (_, file, start) => {
    const other = await host.serve();
    const ports = [server, other].map(({ url }) => Number(new URL(url).port));
    const texts: Readonly<Record<string, string>> = deployTexts(host.root);
    const proxy = await start(texts[file] ?? "", ports);
    const window = await browser.newPage();
    await window.goto(origin);
    const to = `http://127.0.0.1:${proxy.port}`;
    for (const way of ["byUppy", "byTus"] as const) await isUploaded(window, { way, to });
    await window.close();
    await proxy.stop();
  });
});
