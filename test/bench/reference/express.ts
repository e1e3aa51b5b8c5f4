import { parseArgs } from "node:util";
import express, { type NextFunction, type Request, type Response } from "express";
import pg from "pg";
import { orders } from "./orders.js";
import { products } from "./products.js";
import { signingIn } from "./sign-in.js";

/**
 * Reference E: Express 5, run as in production. ETag, X-Powered-By and the parsing of queries that
 * nobody asks for are off; JSON is read only where it is sent.
 */
const { values: options } = parseArgs({
  options: { url: { type: "string" }, port: { type: "string" } },
});
const pool = new pg.Pool({ connectionString: options.url ?? "", max: 10 });
const store = products(pool);
const createOrder = orders(pool);
const signIn = signingIn(pool);
const app = express();
app.disable("x-powered-by");
app.set("etag", false);
app.set("query parser", false);

async function requireToken(request: Request, response: Response, next: NextFunction) {
  if (await store.isSignedIn(request.headers.authorization)) next();
  else response.status(401).json({ error: "Sign in first" });
}

function answer(response: Response, record: object | null) {
  if (record === null) response.status(404).json({ error: "Not found" });
  else response.json(record);
}

function queryOf(request: Request): URLSearchParams {
  const at = request.url.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : request.url.slice(at + 1));
}

app.post("/api/auth/token", express.json(), async (request, response) => {
  const answer = await signIn(request.body);
  if (answer === null) response.status(401).json({ error: "Wrong address or password" });
  else response.status(201).json(answer);
});
app.get("/api/products", requireToken, async (request, response) => {
  response.json(await store.list(queryOf(request)));
});
app.get("/api/categories", requireToken, async (_request, response) => {
  response.json(await store.categories());
});
app.get("/api/products/_stats", requireToken, async (request, response) => {
  response.json(await store.stats(queryOf(request)));
});
app.get("/api/products/_aggregate", requireToken, async (_request, response) => {
  response.json(await store.aggregate());
});
app.get("/api/products/:id", requireToken, async (request, response) => {
  answer(response, await store.get(String(request.params.id)));
});
app.post("/api/products", requireToken, express.json(), async (request, response) => {
  response.status(201).json(await store.create(request.body));
});
app.post("/api/_service/batch", requireToken, express.json(), async (request, response) => {
  response.json(await createOrder(request.body));
});
app.patch("/api/products/:id", requireToken, express.json(), async (request, response) => {
  answer(response, await store.update(String(request.params.id), request.body));
});

app.listen(Number(options.port), "127.0.0.1");
