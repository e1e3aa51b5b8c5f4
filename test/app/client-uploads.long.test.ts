import { Readable } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { createClient, NetworkError } from "../../fixtures/apps/shop/generated/client.js";
import { openSlowReader, type Pace } from "../support/http/slow-reader.js";

let server: Awaited<ReturnType<typeof openSlowReader>>;
afterEach(() => server.close());

/** Milliseconds: less than half of what the upload takes. */
const timeout = 1000;
const megabyte = 1_048_576;
/** More than the network takes at once. */
const size = 48 * megabyte;
const pace: Pace = { bytes: megabyte, pauseMs: 50 };

const files = {
  "a Blob": new Blob([new Uint8Array(size)], { type: "application/pdf" }),
  "a Uint8Array": new Uint8Array(size),
};

test.each(Object.entries(files))(
  "an upload that makes progress may take longer than the time-out: %s",
  async (_, file) => {
    server = await openSlowReader(pace);
    const { products } = createClient({ url: server.url, timeout });
    const loads: number[] = [];
    const began = performance.now();
    const details = await products.upload.manual(file, {
      name: "large.pdf",
      onProgress: ({ loaded }) => loads.push(loaded),
    });
    expect(performance.now() - began).toBeGreaterThan(timeout * 2);
    expect(details.key).toBe("products/manual/1");
    expect(server.received()).toBe(size);
    expect(server.seen[0]).toMatchObject({ "content-length": `${size}` });
    const type = file instanceof Blob ? file.type : undefined;
    expect(server.seen[0]?.["content-type"]).toBe(type);
    expect(loads).toEqual(loads.toSorted((a, b) => a - b));
    expect(loads.length).toBeGreaterThan(100);
    expect(loads.at(-1)).toBe(size);
  },
);

test.each(Object.entries(files))(
  "a request whose body makes progress may take longer than the time-out: %s",
  async (_, body) => {
    server = await openSlowReader(pace);
    const { request } = createClient({ url: server.url, timeout });
    const began = performance.now();
    const query = { name: "large.pdf" };
    const answer = await request("PUT", "/_service/uploads/products/manual", { query, body });
    // The server that reads slowly does not say that it is JSON.
    expect(answer).toBe('{"key":"products/manual/1"}');
    expect(performance.now() - began).toBeGreaterThan(timeout * 2);
    expect(server.received()).toBe(size);
  },
);

test("an upload that stalls ends after the time-out", async () => {
  server = await openSlowReader(null);
  const { products } = createClient({ url: server.url, timeout: 300 });
  const upload = products.upload.manual(files["a Uint8Array"], { name: "large.pdf" });
  await expect(upload).rejects.toThrow(NetworkError);
  await expect(upload).rejects.toThrow("within 300 ms");
  expect(server.seen).toHaveLength(1);
});

test("an upload without a response ends after the time-out too", async () => {
  server = await openSlowReader(null);
  const { products } = createClient({ url: server.url, timeout: 300 });
  const upload = products.upload.manual(new Uint8Array(8), { name: "small.pdf" });
  await expect(upload).rejects.toThrow("within 300 ms");
});

// It may know nothing of bodies that come in parts.
test("a custom fetch gets the file unchanged", async () => {
  server = await openSlowReader(pace);
  const bodies: unknown[] = [];
  const own: typeof fetch = (input, init) => {
    bodies.push(init?.body);
    return fetch(input, init);
  };
  const { products } = createClient({ url: server.url, fetch: own });
  const file = new Blob(["%PDF-1.4\n%%EOF\n"]);
  await products.upload.manual(file, { name: "small.pdf", onProgress: () => {} });
  expect(bodies).toEqual([file]);
  expect(server.received()).toBe(file.size);
});

test("an empty file is sent too", async () => {
  server = await openSlowReader(pace);
  const { products } = createClient({ url: server.url });
  await products.upload.manual(new Blob([]), { name: "empty.pdf" });
  expect(server.seen[0]).toMatchObject({ "content-length": "0" });
});

const parts = ["%PDF-1.4", "", "\n%%EOF\n"].map((text) => new TextEncoder().encode(text));
const streams = {
  "a Readable": () => Readable.from(parts),
  "a ReadableStream": () => new Blob(parts).stream() as AsyncIterable<Uint8Array>,
  "a generator": async function* () {
    yield* parts;
  },
};

test.each(Object.entries(streams))("a stream is sent as it arrives: %s", async (_, stream) => {
  server = await openSlowReader(pace);
  for (const options of [{}, { fetch }]) {
    const { products } = createClient({ url: server.url, ...options });
    const progress: { loaded: number; total: number }[] = [];
    await products.upload.manual(stream(), {
      name: "small.pdf",
      onProgress: (state) => progress.push(state),
    });
    expect(progress.at(-1)).toEqual({ loaded: 15, total: Number.POSITIVE_INFINITY });
    const { "content-length": length, "transfer-encoding": coding } = server.seen.at(-1) ?? {};
    expect({ length, coding }).toEqual({ length: undefined, coding: "chunked" });
  }
  expect(server.received()).toBe(30);
});

test("a stream that fails ends the upload with its error as the cause", async () => {
  server = await openSlowReader(pace);
  const { products } = createClient({ url: server.url });
  async function* broken() {
    yield new Uint8Array(8);
    throw new Error("the disk is gone");
  }
  const upload = products.upload.manual(broken(), { name: "broken.pdf" });
  await expect(upload).rejects.toThrow(NetworkError);
});
