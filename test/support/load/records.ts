import { createHash, randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { insist, type Load } from "./ledger.js";

/** Creates products, each with a separate idempotency key for retries. */
export async function createProducts(load: Load, pauseMs: number): Promise<void> {
  const { token, categoryId, ledger } = load;
  while (!load.isOver()) {
    const name = `Product ${randomUUID()}`;
    const body = { name, price: 1, categoryId };
    const headers = { "idempotency-key": name.replace(" ", "-") };
    const question = { method: "POST", path: "/products", token, body, headers };
    const made = await insist(load, question, [201]);
    if (made.status === 201) ledger.created.set(name, made.body.id);
    await sleep(pauseMs);
  }
}

/** Creates a product and a review of it in one batch with a key. */
export async function createBatches(load: Load, pauseMs: number): Promise<void> {
  const { token, categoryId, ledger } = load;
  while (!load.isOver()) {
    const name = `Reviewed ${randomUUID()}`;
    const review = { productId: { ref: 0 }, rating: 5, body: name };
    const operations = [
      { create: "products", values: { name, price: 1, categoryId } },
      { create: "reviews", values: review },
    ];
    const headers = { "idempotency-key": name.replace(" ", "-") };
    const question = {
      method: "POST",
      path: "/_service/batch",
      token,
      body: { operations },
      headers,
    };
    const made = await insist(load, question, [200]);
    if (made.status === 200) ledger.created.set(name, made.body.data[0].id);
    await sleep(pauseMs);
  }
}

/** Counts up the stock of one product; what it reads afterwards, from any server, is never older than its own write. */
export async function changeStock(load: Load, pauseMs: number): Promise<void> {
  const { token, categoryId, ledger } = load;
  const name = `Changed ${randomUUID()}`;
  const body = { name, price: 1, categoryId };
  const headers = { "idempotency-key": name.replace(" ", "-") };
  const made = await insist(
    load,
    { method: "POST", path: "/products", token, body, headers },
    [201],
  );
  const path = `/products/${made.body.id}`;
  for (let stock = 1; !load.isOver(); stock += 1) {
    await insist(load, { method: "PATCH", path, token, body: { stock } }, [200]);
    ledger.stocks.set(made.body.id, stock);
    for (let reads = 0; reads < 2; reads += 1) {
      const read = await insist(load, { method: "GET", path, token }, [200]);
      if (read.body?.stock !== stock) {
        ledger.wrong.push(`a client that wrote ${stock} read ${read.body?.stock}`);
      }
    }
    await sleep(pauseMs);
  }
}

/** Reads pages. */
export async function readPages(load: Load, pauseMs: number): Promise<void> {
  const paths = ["/products?sort=-createdAt&perPage=5", "/categories", "/products/_stats"];
  for (let round = 0; !load.isOver(); round += 1) {
    const path = paths[round % paths.length] ?? "";
    await insist(load, { method: "GET", path, token: load.token }, [200]);
    await sleep(pauseMs);
  }
}

/** Uploads a file and reads it again. */
export async function uploadFiles(load: Load, pauseMs: number): Promise<void> {
  const { token, ledger } = load;
  while (!load.isOver()) {
    const bytes = Buffer.concat([Buffer.from("%PDF-1.4\n"), randomBytes(20_000)]);
    const upload = "/_service/uploads/products/manual?name=manual.pdf";
    const made = await insist(load, { method: "PUT", path: upload, token, body: bytes }, [201]);
    if (made.status === 201) {
      ledger.files.set(made.body.key, sumOf(bytes));
      const path = `/_service/files/${made.body.key}`;
      const read = await insist(load, { method: "GET", path }, [200]);
      if (sumOf(read.bytes) !== sumOf(bytes)) ledger.wrong.push(`${path} has other bytes`);
    }
    await sleep(pauseMs);
  }
}

export function sumOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
