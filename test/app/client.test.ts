import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  ApiError,
  type Client,
  createClient,
  isApiError,
  NetworkError,
} from "../../fixtures/apps/shop/generated/client.js";
import { openShop, type Shop } from "../support/apps/shop.js";

let shop: Shop;
let api: Client;
beforeAll(async () => {
  shop = await openShop();
  api = createClient({ url: `${shop.app.url}/api`, token: () => shop.app.token });
});
afterAll(() => shop.app.close());

function newProduct(name: string) {
  return api.products.create({ name, price: 4, categoryId: shop.category.id });
}

describe("records", () => {
  test("are created, read, changed, replaced and deleted", async () => {
    const tea = await newProduct("Tea");
    expect(tea).toMatchObject({ name: "Tea", price: 4, active: true });
    expect(await api.products.get(tea.id)).toEqual(tea);
    const changed = await api.products.update(tea.id, { price: { add: 1 } });
    expect(changed.price).toBe(5);
    const { name, categoryId } = tea;
    const values = { name, categoryId, price: 6, active: false, status: "live" } as const;
    const replaced = await api.products.replace(tea.id, values);
    expect(replaced).toMatchObject({ price: 6, active: false, status: "live" });
    expect(await api.products.delete(tea.id)).toBeUndefined();
    await expect(api.products.get(tea.id)).rejects.toMatchObject({ status: 404 });
  });

  test("are listed with conditions, order, fields and links", async () => {
    await newProduct("Green tea");
    await newProduct("Black tea");
    const page = await api.products.list({
      where: { name: { ends: "tea" }, price: { lt: 20 } },
      sort: ["-price", "name"],
      fields: ["name"],
      include: { category: { fields: ["name"] } },
    });
    const [first] = page.data;
    expect(page.data.map(({ name }) => name)).toEqual(["Black tea", "Green tea"]);
    expect(first?.category?.name).toBe("Everything");
    expect(page.meta).toEqual({ page: 1, perPage: 25, total: 2, totalPages: 1 });
    const queried = await api.products.query({ where: { name: "Green tea" } });
    expect(queried.data.map(({ name }) => name)).toEqual(["Green tea"]);
    const one = await api.products.get(first?.id ?? "", { fields: ["price"] });
    expect(one).toEqual({ id: first?.id, price: 4 });
  });

  test("are iterated over page after page", async () => {
    for (let at = 0; at < 5; at++) await newProduct(`Cup ${at}`);
    const names: string[] = [];
    const query = { where: { name: { starts: "Cup" } }, sort: ["name"], perPage: 2 } as const;
    for await (const { name } of api.products.all(query)) names.push(name);
    expect(names).toEqual(["Cup 0", "Cup 1", "Cup 2", "Cup 3", "Cup 4"]);
  });

  test("are counted", async () => {
    const counts = await api.products.stats({ field: "status", where: { name: "Green tea" } });
    expect(counts).toMatchObject({ total: 1, values: { draft: 1 } });
    const groups = await api.products.aggregate({ sum: ["price"], by: ["status"] });
    expect(groups.data[0]?.by).toEqual({ status: "draft" });
  });
});

describe("ifMatch", () => {
  test("takes a record that was created, read or listed", async () => {
    const created = await newProduct("Tagged");
    const first = await api.products.update(created.id, { stock: 1 }, { ifMatch: created });
    const stale = api.products.update(created.id, { stock: 2 }, { ifMatch: created });
    await expect(stale).rejects.toMatchObject({ status: 412 });
    await api.products.update(created.id, { stock: 2 }, { ifMatch: first });
    const { data } = await api.products.list({ where: { id: created.id } });
    const [listed] = data;
    if (listed === undefined) throw new Error("it is not listed");
    expect(Object.keys(listed)).toEqual(Object.keys(created));
    await api.products.delete(created.id, { ifMatch: listed });
  });

  test("refuses a copy of a record before anything is sent", async () => {
    const tea = await newProduct("Copied");
    const copied = api.products.update(tea.id, { stock: 1 }, { ifMatch: { ...tea } });
    await expect(copied).rejects.toThrow(TypeError);
    expect((await api.products.get(tea.id)).stock).toBe(0);
  });
});

test("a batch writes records that refer to each other, and keeps their tags", async () => {
  const [category, product] = await api.batch((batch) => {
    const made = batch.categories.create({ name: "Batched" });
    batch.products.create({ name: "In a batch", price: 1, categoryId: made });
  });
  expect(product).toMatchObject({ categoryId: category?.id });
  await api.products.update(product?.id ?? "", { stock: 3 }, { ifMatch: product ?? "" });
  const { data, errors } = await api.batch(
    (batch) => {
      batch.categories.create({ name: "Alone" });
      batch.products.delete("00000000-0000-7000-8000-000000000000");
    },
    { atomic: false },
  );
  expect(data[0]).toMatchObject({ name: "Alone" });
  expect(errors).toEqual([expect.objectContaining({ index: 1, status: 404 })]);
});

test("a file is uploaded with its progress, and becomes a field's value", async () => {
  const seen: { loaded: number; total: number }[] = [];
  const pdf = new Blob(["%PDF-1.4\n%%EOF\n"], { type: "application/pdf" });
  const onProgress = (progress: { loaded: number; total: number }) => seen.push(progress);
  const file = await api.products.upload.manual(pdf, { name: "tea.pdf", onProgress });
  expect(file).toMatchObject({ name: "tea.pdf", mime: "application/pdf" });
  expect(seen.at(-1)).toEqual({ loaded: pdf.size, total: pdf.size });
  const product = await newProduct("With a manual");
  const changed = await api.products.update(product.id, { manual: file.key });
  expect(changed.manualFile).toEqual(file);
});

describe("accounts and the service", () => {
  test("are called with and without a token", async () => {
    const anonymous = createClient({ url: `${shop.app.url}/api/` });
    expect(await anonymous.auth.config()).toMatchObject({ password: true });
    expect(await anonymous.service.ping()).toHaveProperty("service");
    const email = "caller-1@example.com";
    const password = "a password of the tests";
    const signedIn = await anonymous.auth.signIn({ email, password });
    const own = createClient({ url: `${shop.app.url}/api`, token: signedIn.token ?? null });
    expect((await own.auth.me()).user.email).toBe(email);
    const { data } = await own.auth.sessions();
    expect(data.filter(({ current }) => current)).toHaveLength(1);
    expect(await own.auth.signOut()).toBeUndefined();
    await expect(own.auth.me()).rejects.toMatchObject({ status: 401 });
    const wrong = anonymous.auth.signIn({ email, password: "wrong" });
    await expect(wrong).rejects.toMatchObject({ status: 401, code: "INVALID_EMAIL_OR_PASSWORD" });
  });
});

describe("a refusal", () => {
  test("is an ApiError that its status narrows", async () => {
    const error = await api.products
      .create({ name: "", price: -1, categoryId: shop.category.id })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toBeInstanceOf(Error);
    expect(isApiError(error, 400)).toBe(false);
    if (!isApiError(error, 422)) throw error;
    expect(error.issues?.map(({ path }) => path)).toEqual(["name", "price"]);
    expect(error.message).toBe(error.error);
  });
});

/** A server that does with each connection or request what the test says, in turn. */
async function openFake(
  turns: readonly ((socket: Socket, body: string) => void)[],
): Promise<{ url: string; seen: string[]; close: () => Promise<void> }> {
  const seen: string[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method, headers } = request;
      seen.push(`${method} ${headers["idempotency-key"] ?? "-"}`);
      const turn = turns[seen.length - 1] ?? turns.at(-1);
      turn?.(response.socket as Socket, Buffer.concat(chunks).toString());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/api`,
    seen,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function reply(status: string, body: string, headers = ""): (socket: Socket) => void {
  return (socket) =>
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\n${headers}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
}

/** The network ends: before an answer, within its head, and within its body. */
const cuts: Readonly<Record<string, (socket: Socket) => void>> = {
  "before the answer": (socket) => socket.destroy(),
  "within its head": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Le", () => socket.destroy());
  },
  "within its body": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{", () => socket.destroy());
  },
};
const record = reply("200 OK", '{"id":"1","name":"Tea"}');

describe.each(Object.entries(cuts))("a connection that ends %s", (_, cut) => {
  test("repeats a read twice, then throws NetworkError", async () => {
    const server = await openFake([cut]);
    const broken = createClient({ url: server.url });
    await expect(broken.products.get("1")).rejects.toThrow(NetworkError);
    expect(server.seen).toHaveLength(3);
    await server.close();
  });

  test("repeats a write once with its key", async () => {
    const server = await openFake([cut, record]);
    const tea = await createClient({ url: server.url }).products.update("1", { price: 1 });
    expect(tea).toMatchObject({ name: "Tea" });
    expect(server.seen).toHaveLength(2);
    expect(server.seen[0]).toBe(server.seen[1]);
    expect(server.seen[0]).not.toBe("PATCH -");
    await server.close();
  });

  test("repeats no sign-in and no upload", async () => {
    const server = await openFake([cut]);
    const broken = createClient({ url: server.url });
    const signIn = broken.auth.signIn({ email: "a@example.com", password: "secret" });
    await expect(signIn).rejects.toThrow(NetworkError);
    const upload = broken.products.upload.image(new Uint8Array(8), { name: "a.png" });
    await expect(upload).rejects.toThrow(NetworkError);
    expect(server.seen).toHaveLength(2);
    await server.close();
  });
});

test("a 503 is retried if its Retry-After is at most 10 s", async () => {
  const busy = (seconds: number) =>
    reply("503 Busy", '{"error":"Try again"}', `Retry-After: ${seconds}\r\n`);
  const server = await openFake([busy(0), record, busy(11)]);
  const client = createClient({ url: server.url });
  expect(await client.products.update("1", {})).toMatchObject({ id: "1" });
  await expect(client.products.update("1", {})).rejects.toMatchObject({
    status: 503,
    retryAfter: 11,
  });
  expect(server.seen).toHaveLength(3);
  await server.close();
});

test.each([502, 504])(
  "a %i of a restarting server's proxy is retried after 1 s",
  async (status) => {
    const restarting = reply(`${status} Bad`, "<html>");
    const server = await openFake([restarting, record, restarting, restarting, record]);
    const client = createClient({ url: server.url });
    const began = performance.now();
    expect(await client.products.update("1", {})).toMatchObject({ id: "1" });
    expect(performance.now() - began).toBeGreaterThan(990);
    expect(server.seen[0]).toBe(server.seen[1]);
    // A read is sent up to three times, a write twice.
    expect(await client.products.get("1")).toMatchObject({ id: "1" });
    expect(server.seen).toHaveLength(5);
    await server.close();
  },
);

test("a write whose proxy has no server fails after the second attempt, a sign-in after the first", async () => {
  const server = await openFake([reply("502 Bad", "<html>")]);
  const client = createClient({ url: server.url });
  await expect(client.products.update("1", {})).rejects.toMatchObject({ status: 502 });
  expect(server.seen).toHaveLength(2);
  const signIn = client.auth.signIn({ email: "a@example.com", password: "secret" });
  await expect(signIn).rejects.toMatchObject({ status: 502 });
  expect(server.seen).toHaveLength(3);
  await server.close();
});

test("each attempt ends after the time-out, and an aborted call throws the signal's reason", async () => {
  const server = await openFake([() => {}]);
  // Long enough that each try reaches the server of a busy machine.
  const client = createClient({ url: server.url, timeout: 500 });
  await expect(client.products.get("1")).rejects.toThrow(/within 500 ms/);
  expect(server.seen).toHaveLength(3);
  const ending = new AbortController();
  const reason = new Error("the page was left");
  const listed = client.products.list({}, { signal: ending.signal, timeout: 10_000 });
  setTimeout(() => ending.abort(reason), 20);
  await expect(listed).rejects.toBe(reason);
  const late = client.products.list({}, { signal: ending.signal });
  await expect(late).rejects.toBe(reason);
  await server.close();
});

const foreign = /is not a response of this version of the API$/;
const html = "<html>another server</html>";

const calls = {
  list: (api: Client) => api.products.list(),
  get: (api: Client) => api.products.get("1"),
  create: (api: Client) => api.products.create({ name: "Tea", price: 1, categoryId: "1" }),
  all: (api: Client) => api.products.all().next(),
  upload: (api: Client) => api.products.upload.image(new Uint8Array(1), { name: "a.png" }),
};
const strange = ["", html, "[]", "null", "1", '"text"', "{}", '{"data":[]}', '{"data":1,"meta":1}'];

test.each(Object.entries(calls))(
  "a response that is not from this API is a clear error, not a crash: %s",
  async (_, call) => {
    const server = await openFake(strange.map((body) => reply("200 OK", body)));
    const api = createClient({ url: server.url });
    for (const body of strange) {
      const error = await call(api).catch((thrown: unknown) => thrown);
      expect(error, body).toBeInstanceOf(ApiError);
      expect(String(error), body).toMatch(foreign);
    }
    expect(server.seen).toHaveLength(strange.length);
    await server.close();
  },
);

test("fields of a record may have names that only lists and batches use", async () => {
  const record = { id: "1", name: "Tea", data: "d", meta: "m", etags: ["e"] };
  const server = await openFake([reply("200 OK", JSON.stringify(record))]);
  expect(await createClient({ url: server.url }).products.get("1")).toEqual(record);
  await server.close();
});

test("a server without cursors is distinguished from one at its last page", async () => {
  const meta = { page: 1, perPage: 25, total: 30, totalPages: 2 };
  const server = await openFake([reply("200 OK", JSON.stringify({ data: [{ id: "1" }], meta }))]);
  const pages = createClient({ url: server.url }).products.all();
  expect((await pages.next()).value).toEqual({ id: "1" });
  await expect(pages.next()).rejects.toThrow(foreign);
  await server.close();
});

test.each([html, "[]", "null", '{"error":1}'])(
  "a refusal by another server has its status: %s",
  async (body) => {
    const server = await openFake([reply("500 Bad", body)]);
    const listed = createClient({ url: server.url }).products.list();
    await expect(listed).rejects.toMatchObject({
      status: 500,
      error: "/products?etags=true is refused: 500",
    });
    await server.close();
  },
);

describe("a record that was read can be written back", () => {
  const include = { category: true, reviews: { count: true } } as const;

  test("whole, with its included records, in each kind of write", async () => {
    const { id } = await api.products.create({
      name: "Read tea",
      price: 4,
      categoryId: shop.category.id,
    });
    const read = await api.products.get(id, { include });
    expect(read).toMatchObject({ category: { id: shop.category.id }, reviews: { count: 0 } });
    const changed = await api.products.update(id, { ...read, name: "Changed tea" });
    expect(changed.name).toBe("Changed tea");
    const replaced = await api.products.replace(id, { ...read, ...changed, price: 5 });
    expect(replaced.price).toBe(5);
    const copy = { ...read, name: "Copied tea" };
    const created = await api.products.create(copy);
    expect(created).toMatchObject({ name: "Copied tea", categoryId: read.categoryId });
    expect(created.id).not.toBe(id);
    expect(copy).toEqual({ ...read, name: "Copied tea" });
  });

  test("in a batch, where links still take references", async () => {
    const read = await api.products.create({
      name: "Batch tea",
      price: 4,
      categoryId: shop.category.id,
    });
    const [category, product, updated] = await api.batch((batch) => {
      const made = batch.categories.create({ name: "Of the batch" });
      batch.products.create({ ...read, name: "Batch tea again", categoryId: made });
      batch.products.update(read.id, { ...read, price: 6 });
    });
    expect(product).toMatchObject({ name: "Batch tea again", categoryId: category?.id });
    expect(updated).toMatchObject({ id: read.id, price: 6 });
  });

  test("a key that is not a field is still refused", async () => {
    const refused = api.products.update(shop.category.id, { nome: "Tea" } as object);
    await expect(refused).rejects.toMatchObject({ status: expect.any(Number) });
    const product = (await api.products.list({ perPage: 1 })).data[0];
    const unknown = api.products.update(product?.id ?? "", { ...product, nome: "Tea" } as object);
    await expect(unknown).rejects.toMatchObject({ status: 422, issues: [{ path: "nome" }] });
  });
});

test("a token may be a promise", async () => {
  const url = `${shop.app.url}/api`;
  const late = createClient({ url, token: async () => shop.app.token });
  expect((await late.auth.me()).user.email).toEqual(expect.any(String));
  const failing = createClient({
    url,
    token: () => Promise.reject(new Error("no network for the token")),
  });
  await expect(failing.auth.me()).rejects.toThrow("no network for the token");
});

test.each(["", "shop", "/api", "localhost:3000/api", "ftp://localhost/api", "http://a b/api"])(
  "a url that is not an address is a TypeError: %j",
  async (url) => {
    const failed = createClient({ url }).service.ping();
    await expect(failed).rejects.toThrow(TypeError);
    await expect(createClient({ url }).request("GET", "hello")).rejects.toThrow(TypeError);
  },
);

test("a custom fetch may take a relative url", async () => {
  const own: typeof fetch = (path, init) => fetch(`${shop.app.url}${path}`, init);
  const { service } = createClient({ url: "/api", fetch: own });
  expect(await service.ping()).toMatchObject({ service: expect.any(String) });
});
