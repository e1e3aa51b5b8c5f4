import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Seeded } from "../bench/seed.js";

/** What was answered in a while. */
export interface Answered {
  /** Milliseconds of each answer, in no order. */
  readonly times: number[];
  /** Answers with another status than their request expects, or none, by request. */
  readonly failures: Map<string, number>;
}

export interface MixedLoad {
  /** What was answered since the last time. */
  take(): Answered;
  stop(): Promise<void>;
}

interface Step {
  readonly name: string;
  /** How often it comes up among the others. */
  readonly weight: number;
  run(client: Client): Promise<void>;
}

type Client = (
  method: string,
  path: string,
  sent?: {
    readonly body?: object | Blob;
    readonly status?: number;
    readonly key?: string;
    readonly token?: string | null;
  },
) => Promise<Record<string, unknown>>;

/** Requests that people make of a shop, `rate` a second, at times drawn at random, until it is stopped. */
export function startMixedLoad(
  url: string,
  seeded: Seeded,
  picture: Blob,
  rate: number,
): MixedLoad {
  let answered: Answered = { times: [], failures: new Map() };
  let isStopped = false;
  const steps = stepsOf(seeded, picture);
  const drawn = steps.flatMap((step) => Array.from({ length: step.weight }, () => step));
  const underWay = new Set<Promise<void>>();

  const client: Client = async (method, path, { body, status = 200, key, token } = {}) => {
    const began = performance.now();
    const headers: Record<string, string> = {};
    const bearer = token === undefined ? seeded.token : token;
    if (bearer !== null) headers.authorization = `Bearer ${bearer}`;
    if (key !== undefined) headers["idempotency-key"] = key;
    if (body !== undefined && !(body instanceof Blob)) headers["content-type"] = "application/json";
    if (body instanceof Blob) headers["content-type"] = body.type;
    const sent = body === undefined || body instanceof Blob ? body : JSON.stringify(body);
    const signal = AbortSignal.timeout(30_000);
    const response = await fetch(url + path, {
      method,
      headers,
      signal,
      ...(sent && { body: sent }),
    });
    const text = await response.text();
    answered.times.push(performance.now() - began);
    if (response.status !== status) {
      throw new Error(`${response.status}, not ${status}, from ${method}`);
    }
    return text === "" ? {} : JSON.parse(text);
  };

  async function one(): Promise<void> {
    const step = drawn[Math.floor(Math.random() * drawn.length)];
    try {
      await step?.run(client);
    } catch (error) {
      const what = `${step?.name}: ${error instanceof Error ? error.message : error}`;
      answered.failures.set(what, (answered.failures.get(what) ?? 0) + 1);
    }
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      // Arrivals of many who know nothing of each other.
      await sleep((-Math.log(1 - Math.random()) * 1_000) / rate);
      // A server that hangs is not buried below what waits for it.
      if (underWay.size > 500) continue;
      const work = one().finally(() => underWay.delete(work));
      underWay.add(work);
    }
  }

  const running = run();
  return {
    take() {
      const taken = answered;
      answered = { times: [], failures: new Map() };
      return taken;
    },
    async stop() {
      isStopped = true;
      await running;
      await Promise.all(underWay);
    },
  };
}

function stepsOf(seeded: Seeded, picture: Blob): readonly Step[] {
  const { ids, categoryId, categoryIds, customerId, accounts } = seeded;
  const any = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T;
  const products = "/api/products";
  const newProduct = () => ({ name: `Endured ${randomUUID()}`, price: 2.5, categoryId });
  return [
    {
      name: "one",
      weight: 30,
      run: async (client) => void (await client("GET", `${products}/${any(ids)}`)),
    },
    {
      name: "a list",
      weight: 20,
      run: async (client) => {
        const page = 1 + Math.floor(Math.random() * 40);
        const filter = `filter%5BcategoryId%5D=${any(categoryIds)}`;
        await client("GET", `${products}?${filter}&page=${page}&include=category`);
      },
    },
    {
      name: "a search",
      weight: 5,
      run: async (client) =>
        void (await client("GET", `${products}?q=${randomUUID().slice(0, 3)}&perPage=10`)),
    },
    {
      name: "a where",
      weight: 5,
      run: async (client) => {
        const where = { or: [{ price: { gte: Math.random() * 500 } }, { status: "live" }] };
        await client("POST", `${products}/_query`, { body: { where, perPage: 10 } });
      },
    },
    {
      name: "numbers",
      weight: 2,
      run: async (client) => void (await client("GET", `${products}/_stats?field=status`)),
    },
    {
      name: "a change",
      weight: 10,
      run: async (client) =>
        void (await client("PATCH", `${products}/${any(ids)}`, {
          body: { price: Math.floor(Math.random() * 10_000) / 100 },
        })),
    },
    {
      name: "a product from its creation to its end",
      weight: 6,
      run: async (client) => {
        const { id } = await client("POST", products, { body: newProduct(), status: 201 });
        await client("PUT", `${products}/${id}`, {
          body: { ...newProduct(), status: "live", active: true },
        });
        await client("DELETE", `${products}/${id}`, { status: 204 });
      },
    },
    {
      name: "an order, sent twice with one key, and deleted",
      weight: 3,
      run: async (client) => {
        const key = randomUUID();
        const values = {
          number: Math.floor(Math.random() * 2 ** 31),
          customerId,
          placedAt: new Date().toISOString(),
        };
        const sent = { body: values, status: 201, key };
        const [{ id }, again] = [
          await client("POST", "/api/orders", sent),
          await client("POST", "/api/orders", sent),
        ];
        if (again.id !== id) throw new Error("The key made two orders");
        await client("DELETE", `/api/orders/${id}`, { status: 204 });
      },
    },
    {
      name: "a batch",
      weight: 2,
      run: async (client) => {
        const operations = [
          { create: "products", values: newProduct() },
          { update: "products", id: any(ids), values: { stock: 7 } },
        ];
        const { data } = (await client("POST", "/api/_service/batch", {
          body: { operations },
        })) as { data: readonly { readonly id: string }[] };
        await client("DELETE", `${products}/${data[0]?.id}`, { status: 204 });
      },
    },
    {
      name: "a picture, stored and deleted with its product",
      weight: 1,
      run: async (client) => {
        const path = "/api/_service/uploads/products/image?name=a.png";
        const { key } = await client("PUT", path, { body: picture, status: 201 });
        const { id } = await client("POST", products, {
          body: { ...newProduct(), image: key },
          status: 201,
        });
        await client("DELETE", `${products}/${id}`, { status: 204 });
      },
    },
    {
      name: "a visit: sign in, look, sign out",
      weight: 1,
      run: async (client) => {
        const email = any(accounts.addresses);
        const body = { email, password: accounts.password };
        const sent = { body, status: 201, token: null };
        const { token } = await client("POST", "/api/auth/token", sent);
        await client("GET", "/api/auth/me", { token: String(token) });
        await client("DELETE", "/api/auth/token", { token: String(token), status: 204 });
      },
    },
    {
      name: "refused requests",
      weight: 5,
      run: async (client) => {
        await client("GET", `${products}/${any(ids)}`, { token: null, status: 401 });
        await client("GET", `${products}/${randomUUID()}`, { status: 404 });
        await client("POST", products, { body: { name: "" }, status: 422 });
      },
    },
    {
      name: "a code by mail for nobody",
      weight: 1,
      run: async (client) =>
        void (await client("POST", "/api/auth/email-code", {
          body: { email: `${randomUUID()}@example.com` },
          status: 204,
          token: null,
        })),
    },
  ];
}
