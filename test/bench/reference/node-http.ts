import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import pg from "pg";
import { orders } from "./orders.js";
import { products } from "./products.js";

/** Reference R: the same on bare `node:http`, with no more routing than the benchmark needs. */
const { values: options } = parseArgs({
  options: { url: { type: "string" }, port: { type: "string" } },
});
const pool = new pg.Pool({ connectionString: options.url ?? "", max: 10 });
const store = products(pool);
const createOrder = orders(pool);
const prefix = "/api/products";

async function handle(request: IncomingMessage): Promise<{ status: number; body: object }> {
  if (!(await store.isSignedIn(request.headers.authorization))) {
    return { status: 401, body: { error: "Sign in first" } };
  }
  const url = request.url ?? "";
  const at = url.indexOf("?");
  const path = at < 0 ? url : url.slice(0, at);
  const query = () => new URLSearchParams(at < 0 ? "" : url.slice(at + 1));
  if (path === "/api/_service/batch") {
    return { status: 200, body: await createOrder(JSON.parse(await text(request))) };
  }
  if (request.method === "POST") {
    return { status: 201, body: await store.create(JSON.parse(await text(request))) };
  }
  if (path === prefix) return { status: 200, body: await store.list(query()) };
  if (path === "/api/categories") return { status: 200, body: await store.categories() };
  if (path === `${prefix}/_stats`) return { status: 200, body: await store.stats(query()) };
  if (path === `${prefix}/_aggregate`) return { status: 200, body: await store.aggregate() };
  const id = path.slice(prefix.length + 1);
  const found =
    request.method === "PATCH"
      ? await store.update(id, JSON.parse(await text(request)))
      : await store.get(id);
  return found === null
    ? { status: 404, body: { error: "Not found" } }
    : { status: 200, body: found };
}

function send(response: ServerResponse, status: number, body: object): void {
  const json = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(json),
  });
  response.end(json);
}

createServer((request, response) => {
  handle(request).then(
    ({ status, body }) => send(response, status, body),
    (error: unknown) => send(response, 500, { error: String(error) }),
  );
}).listen(Number(options.port), "127.0.0.1");
