import { join } from "node:path";
import { execa } from "execa";
import type pg from "pg";
import { migrate } from "../../runtime/migrate/index.js";
import { localTools } from "../support/processes/tools.js";
import type { Check } from "./check.js";
import { middle, timed } from "./figure.js";
import { type Meter, meterOf, total } from "./processor.js";
import { createDatabase, insertToken, tidy, token, withConnection } from "./seed.js";
import { startEmitted } from "./servers.js";
import { millisecondsText, ratioText } from "./table.js";
import { service, writeApp } from "./written-app.js";

/** Records of each resource, more than there are signatures kept; and of each list. */
const records = 10_000;
const perList = 100;

/**
 * A list of records with private pictures against the same list with public ones, in processor time of server and database:
 * again and again, and going round so many that no signature is kept until it is asked for again.
 */
export const signedPictures: Check = {
  name: "list of 100 with signed pictures",
  async run({ plan, adminUrl }) {
    const app = await buildApp();
    const url = await createDatabase(adminUrl, "bench_pictures");
    await migrate({ url, directory: join(app, "migrations") });
    const shelves = await withConnection(url, fill);
    await tidy(url);
    const server = await startEmitted(app, url);
    const ask = async (resource: string, shelf: number) => {
      const path = `/api/${resource}?perPage=${perList}&filter[shelfId]=${shelves[shelf % shelves.length]}`;
      const headers = { accept: "application/json", authorization: `Bearer ${token}` };
      const answer = await fetch(server.url + path, { headers });
      const text = await answer.text();
      const hasAll = text.split("thumb.webp").length === perList + 1;
      const isRight = hasAll && text.includes("signature=") === (resource === "scans");
      if (!isRight) throw new Error(`${path} is answered with ${text.slice(0, 500)}`);
    };
    for (let times = 0; times < 300; times += 1) {
      for (const resource of ["pictures", "scans"]) await ask(resource, times);
    }
    const meter = meterOf(server);
    const lists = Math.round(plan.seconds * 200);
    const kept = await compare(meter, { lists, ask: (resource) => ask(resource, 1) });
    const made = await compare(meter, { lists, ask: (resource, at) => ask(resource, at) });
    return [result("made before", kept, 1.03), result("made anew", made, 1.5)];
  },
};

interface Compared {
  readonly ratio: number;
  readonly signed: number;
}

function result(what: string, { ratio, signed }: Compared, most: number) {
  return {
    name: `${signedPictures.name}, ${what}`,
    measured: `${ratioText(ratio)} × (${millisecondsText(signed)} ms of processors)`,
    target: `≤ ${most} × public ones`,
    met: ratio <= most,
  };
}

/** In turn, so that both meet the same machine. */
async function compare(
  meter: Meter,
  {
    lists,
    ask,
  }: {
    readonly lists: number;
    readonly ask: (resource: string, at: number) => Promise<void>;
  },
): Promise<Compared> {
  const costs = { pictures: [] as number[], scans: [] as number[] };
  for (let at = 0; at < lists; at += 1) {
    for (const resource of ["pictures", "scans"] as const) {
      costs[resource].push(total(await meter(() => ask(resource, at))));
    }
  }
  const signed = middle(costs.scans);
  return { ratio: signed / middle(costs.pictures), signed };
}

async function buildApp(): Promise<string> {
  const descriptor = (resource: string, image: string) => ({
    path: `resources/${resource}.yaml`,
    text: `fields:
  name: { type: string, required: true, maxLength: 60 }
  notes: { type: text }
  shelfId: { type: belongsTo, resource: shelves }
  price: { type: number, decimals: 2 }
  image: { ${image} }
`,
  });
  const root = await writeApp([
    { path: "resources/shelves.yaml", text: "fields: { name: { type: string } }\n" },
    descriptor("pictures", "type: image, profile: product"),
    descriptor("scans", "type: image, profile: product, private: true"),
  ]);
  await timed([service, "-C", root, "generate"]);
  await execa("tsc", ["-p", root], { ...localTools, cwd: root });
  return root;
}

/** Resolves with the shelves' ids. */
async function fill(db: pg.Client): Promise<readonly string[]> {
  await insertToken(db);
  const { rows } = await db.query<{ id: string }>(
    `insert into shelves (id, name)
     select uuidv7(), 'Shelf ' || n from generate_series(1, $1::int) as n
     returning id`,
    [records / perList],
  );
  const shelves = rows.map(({ id }) => id);
  for (const resource of ["pictures", "scans"]) {
    await db.query(
      `with made as (
         select n, '${resource}/image/2026/11/' || uuidv7() || '-photograph-' || n as stem
         from generate_series(1, $1::int) as n
       ), uploaded as (
         insert into service.uploads (key, resource, field, details, unused_since)
         select stem || '.webp', '${resource}', 'image', replace($2, '<stem>', stem)::json, null from made
       )
       insert into ${resource} (id, name, notes, shelf_id, price, image)
       select uuidv7(), 'Photograph ' || n, repeat('words ', 10), ($3::uuid[])[1 + n % $4::int], n / 100.0, stem || '.webp'
       from made`,
      [records, JSON.stringify(details), shelves, shelves.length],
    );
  }
  return shelves;
}

/** As an upload stores them. */
const details = {
  key: "<stem>.webp",
  url: "/api/_service/files/<stem>.webp",
  name: "photograph.jpg",
  mime: "image/webp",
  size: 183_204,
  width: 1_600,
  height: 1_200,
  optimised: true,
  renditions: {
    thumb: { url: "/api/_service/files/<stem>.thumb.webp", width: 320, height: 240, size: 9_120 },
  },
};
