import { join } from "node:path";
import { execa } from "execa";
import type pg from "pg";
import { migrate } from "../../runtime/migrate/index.js";
import { localTools } from "../support/processes/tools.js";
import type { Case } from "./cases.js";
import type { Check } from "./check.js";
import { compareAnswers, headersOf } from "./compare.js";
import { keepWriting, measureCase } from "./comparison.js";
import { timed } from "./figure.js";
import { percentile } from "./load.js";
import { rateOfOneClient } from "./one-client.js";
import {
  createDatabase,
  handWrittenCopy,
  insertToken,
  type Seeded,
  tidy,
  token,
  withConnection,
} from "./seed.js";
import { startEmitted, startInvoices } from "./servers.js";
import { millisecondsText, rateText, ratioText } from "./table.js";
import { service, writeApp } from "./written-app.js";

const many = 1_000_000;
const few = 10_000;

/** A page of 25 records with what belongs to each, and what that leads to, against one join by hand. */
export const invoiceList: Check = {
  name: "list of 25 invoices with lines and tracks",
  async run(stage) {
    const app = await builtApp();
    const seeded = await seedInvoices(stage.adminUrl, app, few);
    const forE = await handWrittenCopy(stage.adminUrl, seeded, "e");
    const servers = [await startEmitted(app, seeded.url), await startInvoices(forE)];
    await compareAnswers(servers, list, seeded);
    const [ours, ofE] = await measureCase(list, { stage, seeded, servers });
    const ratio = (ours?.rate ?? 0) / (ofE?.rate ?? 0);
    const measured = `${ratioText(ratio)} × E (${rateText(ours?.rate ?? 0)}, ${rateText(ofE?.rate ?? 0)} a second)`;
    return [{ name: invoiceList.name, measured, target: "≥ 1.5 × E", met: ratio >= 1.5 }];
  },
};

const list: Case = {
  name: "invoices",
  rows: few,
  method: "GET",
  paths: () => ["/api/invoices?include=lines.track"],
  target: { e: 1.5 },
};

/** The first page in the order of the linked customers' names, of which they have an index. */
export const invoicesByCustomer: Check = {
  name: "1 000 000 invoices by customer's name, p95",
  async run({ plan, adminUrl }) {
    const app = await builtApp();
    const seeded = await seededWithMany(adminUrl, app);
    const server = await startEmitted(app, seeded.url);
    const times: number[] = [];
    const until = performance.now() + (plan.warmUp + plan.seconds) * 1000;
    while (performance.now() < until || times.length < 2 * plan.leastAnswers) {
      const path = times.length % 2 === 0 ? "customer.name" : "-customer.name,-createdAt";
      times.push(await timeOf(`${server.url}/api/invoices?sort=${path}`, seeded));
    }
    const sorted = times.slice(plan.leastAnswers).toSorted((one, other) => one - other);
    const p95 = percentile(sorted, 0.95);
    const measured = `${millisecondsText(p95)} ms`;
    return [{ name: invoicesByCustomer.name, measured, target: "≤ 60 ms", met: p95 <= 60 }];
  },
};

async function timeOf(url: string, seeded: Seeded): Promise<number> {
  const began = performance.now();
  const answer = await fetch(url, { headers: headersOf(seeded) });
  if (!answer.ok) throw new Error(`${url} is answered with ${answer.status}`);
  await answer.arrayBuffer();
  return performance.now() - began;
}

/** Sums over a link, against the same statement by hand, each asked by one client. */
export const revenueByCountry: Check = {
  name: "revenue by country of 1 000 000 invoices",
  async run({ plan, adminUrl }) {
    const app = await builtApp();
    const seeded = await seededWithMany(adminUrl, app);
    const server = await startEmitted(app, seeded.url);
    const rates: { readonly ours: number; readonly byHand: number }[] = [];
    const seconds = plan.seconds * 2;
    await rateOfOneClient(revenue, { server, seeded, seconds: plan.warmUp });
    for (let round = 0; round < plan.rounds; round += 1) {
      const byHand = await withConnection(seeded.url, (db) => rateOfStatement(db, seconds));
      const writing = await keepWriting(seeded.url);
      rates.push({ ours: await rateOfOneClient(revenue, { server, seeded, seconds }), byHand });
      await writing.end();
    }
    const ratios = rates.map(({ ours, byHand }) => ours / byHand).toSorted((a, b) => a - b);
    const ratio = ratios[ratios.length >> 1] ?? 0;
    const milliseconds = 1000 / (rates[0]?.byHand ?? Number.NaN);
    const measured = `${ratioText(ratio)} × the statement by hand (${Math.round(milliseconds)} ms)`;
    return [{ name: revenueByCountry.name, measured, target: "≥ 0.9 ×", met: ratio >= 0.9 }];
  },
};

const revenue: Case = {
  name: "revenue",
  rows: many,
  method: "GET",
  paths: () => ["/api/invoices/_aggregate?by=customer.country&sum=total"],
  target: { e: 0 },
};

/**
 * How often a second the statement is answered that somebody would write for it. Without parallel workers, as the
 * server leaves the other processors to other requests: with two, one such statement alone takes two thirds of the time.
 */
async function rateOfStatement(db: pg.Client, seconds: number): Promise<number> {
  await db.query("set max_parallel_workers_per_gather = 0");
  const began = performance.now();
  let answers = 0;
  while (performance.now() < began + seconds * 1000) {
    await db.query(`
      select c.country, count(*), sum(i.total)
      from invoices i
      join customers c on c.id = i.customer_id
      group by c.country
      order by c.country
      limit 101`);
    answers += 1;
  }
  return (answers * 1000) / (performance.now() - began);
}

let filled: Promise<Seeded> | undefined;

function seededWithMany(adminUrl: string, app: string): Promise<Seeded> {
  filled ??= seedInvoices(adminUrl, app, many);
  return filled;
}

let built: Promise<string> | undefined;

function builtApp(): Promise<string> {
  built ??= buildApp();
  return built;
}

async function buildApp(): Promise<string> {
  const descriptor = (resource: string, fields: readonly string[], indexes = "") => ({
    path: `resources/${resource}.yaml`,
    text: ["fields:", ...fields.map((field) => `  ${field}`), indexes, ""].join("\n"),
  });
  const root = await writeApp([
    descriptor(
      "customers",
      [
        "name: { type: string, required: true, maxLength: 60 }",
        "country: { type: string, maxLength: 60 }",
      ],
      "indexes: [[name]]",
    ),
    descriptor("invoices", [
      "customerId: { type: belongsTo, resource: customers, required: true }",
      "total: { type: number, decimals: 2, required: true }",
    ]),
    descriptor("tracks", [
      "name: { type: string, required: true, maxLength: 200 }",
      "composer: { type: string }",
      "milliseconds: { type: number, integer: true, required: true }",
    ]),
    descriptor("invoice-lines", [
      "invoiceId: { type: belongsTo, resource: invoices, required: true, inverse: lines }",
      "trackId: { type: belongsTo, resource: tracks, required: true }",
      "quantity: { type: number, integer: true, required: true }",
      "price: { type: number, decimals: 2, required: true }",
    ]),
  ]);
  await timed([service, "-C", root, "generate"]);
  await execa("tsc", ["-p", root], { ...localTools, cwd: root });
  return root;
}

async function seedInvoices(adminUrl: string, app: string, invoices: number): Promise<Seeded> {
  const name = `bench_invoices_${invoices}`;
  const url = await createDatabase(adminUrl, name);
  await migrate({ url, directory: join(app, "migrations") });
  await withConnection(url, (db) => fill(db, invoices));
  await tidy(url);
  const accounts = { addresses: [], password: "", hash: "" };
  const ids = { ids: [], categoryId: "", categoryIds: [], customerId: "" };
  return { name, url, products: 0, token, ...ids, accounts };
}

/** A music shop: 59 customers in 24 countries, and five lines of each of the few invoices. */
async function fill(db: pg.Client, invoices: number): Promise<void> {
  await insertToken(db);
  await db.query(`
    insert into customers (id, name, country)
    select uuidv7(), 'Customer ' || n, 'Country ' || n % 24 from generate_series(1, 59) as n`);
  await db.query(
    `insert into invoices (id, customer_id, total)
     select uuidv7(), ids[1 + n * 31 % 59], n % 1000 / 100.0
     from (select array_agg(id) as ids from customers) as customer, generate_series(1, $1::int) as n`,
    [invoices],
  );
  if (invoices > few) return;
  await db.query(`
    insert into tracks (id, name, composer, milliseconds)
    select uuidv7(), 'Track ' || n, 'Composer ' || n % 200, 200000 + n from generate_series(1, 3500) as n`);
  await db.query(`
    insert into invoice_lines (id, invoice_id, track_id, quantity, price)
    select uuidv7(), invoices.id, ids[1 + (n * 7919 + invoices.total * 100)::int % 3500], 1, 0.99
    from (select array_agg(id) as ids from tracks) as track, generate_series(1, 5) as n, invoices`);
}
