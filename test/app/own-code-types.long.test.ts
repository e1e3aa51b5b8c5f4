import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { localTools } from "../support/processes/tools.js";

const repository = resolve(import.meta.dirname, "../..");

/** Within the shop, so that its compiler settings and imports hold. */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(repository, "fixtures/apps/shop/own-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const imports = [
  'import { Router } from "express";',
  'import { refusal } from "service-runtime/errors";',
  'import { z } from "zod";',
  'import { createApp } from "../generated/app.js";',
  "export const kept = { Router, refusal, z };",
];

/** What the strict compiler says of each of these pieces of own code of the shop. */
async function compile(codes: readonly string[]): Promise<readonly string[]> {
  const config = { extends: "../tsconfig.json", compilerOptions: { noEmit: true, rootDir: ".." } };
  const files = codes.map((_, at) => `server-${at}.ts`);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ ...config, include: files }));
  for (const [at, code] of codes.entries()) {
    writeFileSync(join(folder, `server-${at}.ts`), [...imports, code].join("\n"));
  }
  const options = { ...localTools, cwd: repository, reject: false } as const;
  const { stdout } = await execa("tsc", ["-p", folder, "--singleThreaded"], options);
  // A message begins with its file, and its further lines are indented.
  const messages = stdout.split(/\n(?! )/);
  return files.map((file) =>
    messages.filter((message) => message.includes(`/${file}(`)).join("\n"),
  );
}

test("app code that uses the fields correctly compiles", async () => {
  const errors = await compile([
    `
    const routes = Router();
    routes.get("/mine", async (_request, response) => {
      const { caller, resources } = response.locals;
      const page = await resources.orderItems.list({ where: { quantity: 1, "field:unitPrice": { gt: 2, in: [3, 4] }, not: { order: { customer: { name: { starts: "A" } } } } }, include: { product: true }, sort: ["-unitPrice", "order.customer.name", "-product.name"] });
      const orders = await resources.orders.count({ where: { items: { none: { quantity: { gte: 5 } } }, status: { ne: "paid" }, or: [{ gift: null }, { handledBy: { name: "Ann" } }] } });
      if (orders > 0) throw refusal(409, "No");
      response.json({ caller: caller?.accountId, total: page.meta.total });
    });
    const app = await createApp({
      routes,
      policies: {
        products: {
          create: (caller, values, { db }) => db.query("select 1").then(() => values.price > 1 && caller.role === "x"),
        },
      },
      hooks: {
        products: {
          beforeCreate: (values) => ({ ...values, name: values.name.trim() }),
          async beforeUpdate(changes, product, { resources, signal }) {
            if (signal.aborted || product.status === "gone") throw refusal(409, "No");
            const category = await resources.categories.get(product.categoryId);
            if (category === null) return;
            return { ...changes, description: category.name };
          },
          afterUpdate: (product, former, { log }) => log.info({ from: former.price, to: product.price }),
        },
      },
      tools: {
        restock: {
          description: "Sets what is in stock.",
          input: z.object({ id: z.string(), stock: z.number().default(0) }),
          run: async ({ id, stock }, { caller, resources, db, signal, log }) => {
            log.info({ twice: stock.toFixed(0), aborted: signal.aborted });
            await db.query("select 1");
            return resources.as(caller).products.update(id.trim(), { stock });
          },
        },
        clear: {
          description: "Says nothing.",
          input: z.strictObject({}),
          run() {},
        },
      },
      jobs: {
        greet: {
          input: z.object({ id: z.string(), at: z.coerce.date().optional(), times: z.number().default(1) }),
          tries: 3,
          run: async ({ id, at, times }, { attempt, scheduledAt, caller, resources, jobs, signal }) => {
            await jobs.add("sweep", {}, { at: new Date(scheduledAt.getTime() + times), key: id, priority: -3 });
            await resources.products.update(id.trim(), { stock: attempt });
            return [at?.getTime(), signal.aborted, caller satisfies null];
          },
        },
        sweep: { input: z.object({}), transaction: true, run: (_input, { db }) => db.query("select 1") },
      },
      schedule: {
        nightly: { job: "greet", cron: "@daily", timezone: "Europe/Oslo", catchUp: "1d", input: { id: "x" } },
        hourly: { job: "sweep", cron: "@hourly", overlap: true },
      },
    });
    await app.jobs.add("greet", { id: "x" });
    await createApp({
      hooks: {
        products: {
          beforeCreate: (values) => JSON.parse(JSON.stringify(values)),
          beforeUpdate: async (changes): Promise<any> => changes,
        },
      },
    });
    await app.transaction(({ jobs }) => jobs.add("greet", { id: "x", times: 3 }));
    const { id } = await app.resources.products.create({ name: "Tea", price: 1, categoryId: "x" });
    await app.resources.products.update(id, { stock: null });
    await app.resources.products.update(id, ({ stock }) => ({ stock: (stock ?? 0) + 1 }));
    await app.resources.products.update(id, { stock: { add: -1 }, price: { add: 0.5 } });
    await app.resources.products.update(id, async ({ price }) => ({ price: 2 * price, stock: { add: 1 } }));
    await app.transaction(async ({ resources }) => {
      const product = await resources.products.get(id, { lock: true, fields: ["stock"] });
      await resources.products.update(id, async ({ price }) => ({ price: price + (product?.stock ?? 0) }));
    }, { again: 3 });
    await app.transaction(({ resources, db }) => db.transaction(() => resources.as({ accountId: "", role: null, sessionId: null }).visits.count()));
  `,
  ]);
  expect(errors).toEqual([""]);
});

const wrong: readonly [string, string][] = [
  [
    "colour",
    "await createApp({ hooks: { products: { beforeCreate: (v) => ({ ...v, colour: 1 }) } } });",
  ],
  [
    "colour",
    "await createApp({ hooks: { products: { async beforeUpdate(c) { return { ...c, colour: 1 }; } } } });",
  ],
  [
    "colour",
    "await createApp({ hooks: { products: { beforeDelete(p) { if (p.colour) throw refusal(409, ''); } } } });",
  ],
  [
    "colour",
    "await createApp({ hooks: { products: { afterUpdate(p, f) { if (p.name === f.colour) throw refusal(409, ''); } } } });",
  ],
  ["colour", "await createApp({ policies: { products: { update: (_c, p) => p.colour === 1 } } });"],
  [
    "colour",
    "const app = await createApp(); await app.resources.products.update('', { colour: 1 });",
  ],
  [
    "colour",
    "const app = await createApp(); await app.resources.products.update('', () => ({ colour: 1 }));",
  ],
  [
    "add",
    "const app = await createApp(); await app.resources.products.update('', { name: { add: 1 } });",
  ],
  [
    "add",
    "const app = await createApp(); await app.resources.products.replace('', { name: '', price: { add: 1 }, active: true, status: 'live', categoryId: '' });",
  ],
  ["void", "const app = await createApp(); await app.resources.products.update('', () => {});"],
  [
    "colour",
    "const app = await createApp(); await app.resources.products.list({ sort: ['colour'] });",
  ],
  [
    "category.colour",
    "const app = await createApp(); await app.resources.products.list({ sort: ['-category.colour'] });",
  ],
  [
    "reviews.stars",
    "const app = await createApp(); await app.resources.products.list({ sort: ['reviews.stars'] });",
  ],
  ...[
    "{ where: { colour: 'red' } }",
    "{ where: { not: { or: [{ 'field:colour': 'red' }] } } }",
    "{ where: { category: { colour: null } } }",
    "{ where: { name: { colour: 'x' } } }",
    "{ where: { reviews: { some: { colour: 1 } } } }",
    "{ include: { colour: true } }",
  ].map((asked): [string, string] => [
    "colour",
    `const app = await createApp(); await app.resources.products.list(${asked});`,
  ]),
  [
    "boolean",
    "const app = await createApp(); await app.resources.products.count({ where: { active: 1 } });",
  ],
  [
    "price",
    "const app = await createApp(); await app.resources.products.create({ name: '', categoryId: '' });",
  ],
  ...[
    "run: ({ colour }) => colour",
    "run: ({ id }, { resources }) => resources.products.update(id, { colour: 1 })",
  ].map((run): [string, string] => [
    "colour",
    `await createApp({ tools: { tint: { description: "", input: z.object({ id: z.string() }), ${run} } } });`,
  ]),
  // A hook may stand before the jobs that it adds.
  ...['jobs.add("swep", {})', 'jobs.add("sweep", { swep: "x", id: "x" })'].map(
    (add): [string, string] => [
      "swep",
      `await createApp({
      hooks: { products: { beforeCreate: async (_values, { jobs }) => void (await ${add}) } },
      jobs: { sweep: { input: z.object({ id: z.string() }), run: () => {} } },
    });`,
    ],
  ),
  [
    "swep",
    'await createApp({ jobs: { sweep: { input: z.object({}), run: () => {} } }, schedule: { s: { job: "swep", cron: "@daily" } } });',
  ],
  ["products", "const app = await createApp(); await app.resources.product.list();"],
  ["beforCreate", "await createApp({ hooks: { products: { beforCreate: () => {} } } });"],
  ["produkts", "await createApp({ hooks: { produkts: { beforeCreate: () => {} } } });"],
];

test("app code that uses a missing field, name or resource is refused by its name", async () => {
  const errors = await compile(wrong.map(([, code]) => code));
  for (const [at, [name, code]] of wrong.entries()) expect(errors[at], code).toContain(name);
});
