import { join } from "node:path";
import { execa } from "execa";
import type pg from "pg";
import { migrate } from "../../runtime/migrate/index.js";
import { localTools } from "../support/processes/tools.js";
import type { Case } from "./cases.js";
import type { Check } from "./check.js";
import { runCase } from "./comparison.js";
import { timed } from "./figure.js";
import { connections } from "./load.js";
import { rateOfOneClient } from "./one-client.js";
import { rounds } from "./rounds.js";
import { createDatabase, insertToken, type Seeded, tidy, token, withConnection } from "./seed.js";
import { type Server, startEmitted } from "./servers.js";
import { millisecondsText, ratioText } from "./table.js";
import { service, writeApp } from "./written-app.js";

const links = ["sender", "receiver", "depot", "hub", "border", "agency", "insurer"];
const parcels = 10_000;
const places = 1_000;
/** Labels of each parcel: as many as an inverse shows unless it is told otherwise. */
const labels = 10;

/** A page of 100 records with eight includes, one of them an inverse, against the page without them. */
export const eightIncludes: Check = {
  name: "queries: 100 records with 8 includes",
  async run({ plan, adminUrl }) {
    const app = await buildApp();
    const seeded = await seedParcels(adminUrl, app);
    const server = await startEmitted(app, seeded.url);
    const ask = (page: Case, seconds: number, leastAnswers: number) =>
      runCase(page, seeded, { server, seconds, leastAnswers });
    // What the server holds once it has answered plain pages for a while is not due to what is included.
    const [, before] = await withPeak(server, () => ask(plain, 3 * plan.seconds, 0));
    const [, alone] = await withPeak(server, () =>
      rateOfOneClient(included, { server, seeded, seconds: plan.seconds }),
    );
    await ask(included, plan.warmUp, 0);
    let peak = alone;
    const [short, long] = await rounds(plan.rounds, [plain, included], async (page) => {
      const [figures, most] = await withPeak(server, () =>
        ask(page, plan.seconds, plan.leastAnswers),
      );
      peak = Math.max(peak, most);
      return figures;
    });
    const ratio = (long?.p99 ?? 0) / (short?.p99 ?? 0);
    const [fast, slow] = [short, long].map((one) => millisecondsText(one?.p99 ?? 0));
    const { name } = eightIncludes;
    return [
      {
        name: `${name}, p99`,
        measured: `${ratioText(ratio)} × (${slow} ms, plain ${fast} ms)`,
        target: "≤ 3 × plain",
        met: ratio <= 3,
      },
      {
        name: `${name}, memory`,
        measured: `${alone - before} MB more than ${before}, with ${connections} clients ${peak - before}`,
        target: "≤ 50 MB for one client",
        met: alone - before <= 50,
      },
    ];
  },
};

const page = "/api/parcels?perPage=100";
const plain = pageOf(page);
const included = pageOf(`${page}&include=${[...links, "labels"].join()}`);

function pageOf(path: string): Case {
  return {
    ...{ name: path, rows: 10_000, method: "GET", paths: () => [path], target: { e: 0 } },
    isBesideWrites: true,
  };
}

/** What the work gives, and the most memory that the server held meanwhile. */
async function withPeak<Given>(
  server: Server,
  work: () => Promise<Given>,
): Promise<readonly [Given, number]> {
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, server.memory());
  }, 20);
  try {
    return [await work(), peak];
  } finally {
    clearInterval(watch);
  }
}

async function buildApp(): Promise<string> {
  const named = "name: { type: string, required: true, maxLength: 60 }";
  const descriptor = (resource: string, fields: readonly string[]) => ({
    path: `resources/${resource}.yaml`,
    text: ["fields:", ...fields.map((field) => `  ${field}`), ""].join("\n"),
  });
  const root = await writeApp([
    descriptor("places", [named, "city: { type: string }", "notes: { type: text }"]),
    descriptor("parcels", [
      named,
      "weight: { type: number }",
      ...links.map((link) => `${link}Id: { type: belongsTo, resource: places }`),
    ]),
    descriptor("labels", [
      named,
      "parcelId: { type: belongsTo, resource: parcels, required: true, inverse: labels }",
    ]),
  ]);
  await timed([service, "-C", root, "generate"]);
  await execa("tsc", ["-p", root], { ...localTools, cwd: root });
  return root;
}

async function seedParcels(adminUrl: string, app: string): Promise<Seeded> {
  const name = "bench_parcels";
  const url = await createDatabase(adminUrl, name);
  await migrate({ url, directory: join(app, "migrations") });
  await withConnection(url, fill);
  await tidy(url);
  const accounts = { addresses: [], password: "", hash: "" };
  return {
    name,
    url,
    products: 0,
    token,
    ids: [],
    categoryId: "",
    categoryIds: [],
    customerId: "",
    accounts,
  };
}

async function fill(db: pg.Client): Promise<void> {
  await insertToken(db);
  await db.query(
    `insert into places (id, name, city, notes)
     select uuidv7(), 'Place ' || n, 'City', repeat('words ', 40) from generate_series(1, $1) as n`,
    [places],
  );
  const columns = links.map((link) => `${link}_id`);
  const drawn = columns.map((_, at) => `ids[1 + (n * 31 + ${at} * 17) % ${places}]`);
  await db.query(
    `insert into parcels (id, name, weight, ${columns.join(", ")})
     select uuidv7(), 'Parcel ' || n, n, ${drawn.join(", ")}
     from (select array_agg(id) as ids from places) as place, generate_series(1, $1) as n`,
    [parcels],
  );
  await db.query(
    `insert into labels (id, name, parcel_id)
     select uuidv7(), 'Label ' || n, parcels.id from generate_series(1, $1) as n, parcels`,
    [labels],
  );
}
