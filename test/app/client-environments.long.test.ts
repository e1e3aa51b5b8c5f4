import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { execa } from "execa";
import { ts } from "ts-morph";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientModules, clientSources } from "../support/apps/client-code.js";
import { openShop, type Shop } from "../support/apps/shop.js";
import { localTools } from "../support/processes/tools.js";

type ClientModule = typeof import("../../fixtures/apps/shop/generated/client.js");

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.app.close());

const code = clientModules("shop", ts.ModuleKind.CommonJS);

/** What came to the language after Safari 15 and what Hermes has, or is still missing there. */
const newer = `
delete Array.fromAsync; delete Array.prototype.at; delete Array.prototype.findLast;
for (const name of ["toSorted", "toReversed", "toSpliced", "with"]) delete Array.prototype[name];
delete String.prototype.at; delete String.prototype.isWellFormed; delete String.prototype.toWellFormed;
delete Object.hasOwn; delete Object.groupBy; delete Promise.withResolvers; delete Promise.any;
delete globalThis.WeakRef; delete globalThis.FinalizationRegistry; delete globalThis.Iterator;
const Plain = Error;
globalThis.Error = class Error extends Plain { constructor(message) { super(message); } };
`;

/** A signal as React Native has it: without a reason, and without methods that throw. */
class OldSignal {
  aborted = false;
  readonly #listeners = new Set<() => void>();
  addEventListener(_: "abort", listener: () => void): void {
    this.#listeners.add(listener);
  }
  removeEventListener(_: "abort", listener: () => void): void {
    this.#listeners.delete(listener);
  }
  end(): void {
    this.aborted = true;
    for (const listener of this.#listeners) listener();
  }
}

class OldController {
  readonly signal = new OldSignal();
  abort(): void {
    this.signal.end();
  }
}

/** The addresses that were asked for. */
const asked: string[] = [];

function oldFetch(url: string, init: RequestInit & { signal: unknown }): Promise<Response> {
  asked.push(url);
  const ending = new AbortController();
  (init.signal as unknown as OldSignal).addEventListener("abort", () => ending.abort());
  return fetch(url, { ...init, signal: ending.signal });
}

/** The client where there is only the language of 2021, timers, `fetch` and abort controllers. */
function load(more: object = {}): ClientModule {
  const globals = { setTimeout, clearTimeout, fetch: oldFetch, AbortController: OldController };
  const context = createContext({ ...globals, ...more });
  runInContext(newer, context);
  const loaded = new Map<string, object>();
  const required = (path: string): object => {
    const exports = loaded.get(path) ?? {};
    if (loaded.has(path)) return exports;
    loaded.set(path, exports);
    const run = runInContext(`(exports, require) => {${code.get(path)}}`, context);
    run(exports, (name: string) => required(join(dirname(path), name)));
    return exports;
  };
  return required("client.js") as ClientModule;
}

let made = 0;
const randomUUID = () => `key-${process.pid}-${made++}`;

function oldApi(more: object = {}) {
  const options = { url: `${shop.app.url}/api`, token: () => shop.app.token };
  return load(more).createClient({ ...options, randomUUID, tags: true });
}

describe("without URLSearchParams, crypto, Blob, streams and abort reasons", () => {
  test("every parameter of a query is sent", async () => {
    const api = oldApi();
    const values = { price: 4, categoryId: shop.category.id };
    const names = ["Old & new", "Ümläut 😀 100 %", "c+d=e, f"];
    for (const name of names) await api.products.create({ name, ...values });
    for (const name of names) {
      const { data, meta } = await api.products.list({
        where: { name },
        sort: ["-price", "name"],
        fields: ["name"],
        include: { category: { fields: ["name"] } },
        perPage: 7,
      });
      expect(data.map((each) => [each.name, each.category?.name])).toEqual([[name, "Everything"]]);
      expect(meta).toMatchObject({ perPage: 7, total: 1 });
    }
    const seen: string[] = [];
    const all = { where: { name: { in: names } }, sort: ["name"], perPage: 1 } as const;
    for await (const { name } of api.products.all(all)) seen.push(name);
    expect(seen).toHaveLength(names.length);
    expect(await api.products.stats({ where: { name: names[0] ?? "" } })).toHaveProperty(
      "total",
      1,
    );
    const accounts = await api.service.accounts({ filter: { disabled: true } });
    expect(accounts.data).toEqual([]);
  });

  test("an unpaired surrogate in a query or an id does not crash", async () => {
    const api = oldApi();
    asked.length = 0;
    expect((await api.products.list({ q: "\ud83d" })).data).toEqual([]);
    const never = api.products.list({ where: { name: "\udc00" } });
    await expect(never).rejects.toMatchObject({ status: 400 });
    await expect(api.products.get("a\ud83d")).rejects.toMatchObject({ status: 404 });
    expect(asked.map((url) => url.replace(/^.*\/api/, ""))).toEqual([
      "/products?etags=true&q=%EF%BF%BD",
      `/products?etags=true&where=${encodeURIComponent('{"name":"\\udc00"}')}`,
      "/products/a%EF%BF%BD",
    ]);
  });

  test("records are written with their tags, in batches too, and files are uploaded", async () => {
    const api = oldApi();
    const [category, product] = await api.batch((batch) => {
      const categoryId = batch.categories.create({ name: "Old" });
      batch.products.create({ name: "Old tea", price: 1, categoryId });
    });
    expect(product).toMatchObject({ categoryId: category?.id });
    const changed = await api.products.update(
      product?.id ?? "",
      { price: 2 },
      { ifMatch: product ?? "" },
    );
    const stale = api.products.update(changed.id, { price: 3 }, { ifMatch: product ?? "" });
    await expect(stale).rejects.toMatchObject({ status: 412, name: "ApiError" });
    const copy = JSON.parse(JSON.stringify(changed));
    expect(copy).toHaveProperty("$tag");
    expect(
      await api.products.update(
        copy.id,
        { ...copy, manualFile: undefined, imageFile: undefined },
        { ifMatch: copy },
      ),
    ).toMatchObject({ price: 2 });
    const bytes = Buffer.from("%PDF-1.4\n%%EOF\n");
    expect(await api.products.upload.manual(bytes, { name: "old.pdf" })).toMatchObject({
      mime: "application/pdf",
      size: bytes.length,
    });
  });

  test("app routes are called with a query and a body", async () => {
    const api = oldApi();
    const query = { fields: ["name"], perPage: 1 };
    expect(await api.request("GET", "/categories", { query })).toMatchObject({
      meta: { perPage: 1 },
    });
    const body = { name: "Asked for" };
    const made = await api.request("POST", "/categories", { body, idempotencyKey: randomUUID() });
    expect(made).toMatchObject(body);
  });

  test("a call that is aborted rejects with an AbortError, before and while it runs", async () => {
    const api = oldApi();
    const ending = new OldController();
    const signal = ending.signal as unknown as AbortSignal;
    const listed = api.products.list({}, { signal });
    ending.abort();
    await expect(listed).rejects.toMatchObject({ name: "AbortError" });
    await expect(api.products.list({}, { signal })).rejects.toMatchObject({ name: "AbortError" });
  });

  test("a request without a response throws an error with its cause", async () => {
    const { createClient, NetworkError } = load();
    const lost = createClient({ url: "http://127.0.0.1:1/api" }).auth.config();
    const error = await lost.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ name: "NetworkError", cause: { message: "fetch failed" } });
  });
});

test("without crypto.getRandomValues a write explains what to pass, and is not sent", async () => {
  const api = load().createClient({ url: `${shop.app.url}/api`, token: shop.app.token });
  asked.length = 0;
  await expect(api.categories.create({ name: "Keyless" })).rejects.toMatchObject({
    name: "TypeError",
    message: "There is no crypto.getRandomValues: use createClient({ randomUUID })",
  });
  expect(asked).toEqual([]);
  const keyed = await api.categories.create({ name: "Keyed" }, { idempotencyKey: randomUUID() });
  expect(keyed.name).toBe("Keyed");
});

// A page over http has no `crypto.randomUUID`.
test("crypto.getRandomValues alone makes the keys of writes", async () => {
  const own = { getRandomValues: (bytes: Uint32Array) => crypto.getRandomValues(bytes) };
  const { createClient } = load({ crypto: own });
  const api = createClient({ url: `${shop.app.url}/api`, token: shop.app.token });
  // With one key for both, the second would be refused.
  for (const name of ["Keyed tea", "Keyed cup"]) {
    expect(
      await api.products.create({ name, price: 1, categoryId: shop.category.id }),
    ).toMatchObject({ name });
  }
});

/** What the types of React Native declare, of what the client uses. */
const nativeTypes = `
declare function setTimeout(work: (...args: any[]) => void, ms?: number): number;
declare function clearTimeout(timer: number | undefined): void;
declare function fetch(url: string, init?: RequestInit): Promise<Response>;
interface RequestInit { body?: any; method?: string; headers?: any; signal?: AbortSignal | null }
interface Response { status: number; headers: { get(name: string): string | null }; text(): Promise<string> }
interface Blob { readonly size: number; readonly type: string; slice(start?: number, end?: number): Blob }
interface File extends Blob { readonly name: string }
declare class AbortController { readonly signal: AbortSignal; abort(): void }
interface AbortSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: (event: any) => any): void;
  removeEventListener(type: "abort", listener: (event: any) => any): void;
}
`;

test("the client and its companion files compile without the types of browsers and Node", async () => {
  const folder = mkdtempSync(join(tmpdir(), "native-"));
  const compilerOptions = {
    ...{ strict: true, noEmit: true, noUncheckedIndexedAccess: true, types: [] },
    ...{ target: "esnext", module: "esnext", moduleResolution: "bundler", lib: ["es2021"] },
  };
  try {
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
    for (const app of ["shop", "market"]) {
      mkdirSync(join(folder, app, "client"), { recursive: true });
      for (const [path, text] of clientSources(app)) writeFileSync(join(folder, app, path), text);
    }
    writeFileSync(join(folder, "native.d.ts"), nativeTypes);
    const options = { ...localTools, reject: false } as const;
    expect((await execa("tsc", ["-p", folder, "--singleThreaded"], options)).stdout).toBe("");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
