import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { execa } from "execa";
import type pg from "pg";
import { migrate } from "../../runtime/migrate/index.js";
import { localTools } from "../support/processes/tools.js";
import type { Check } from "./check.js";
import { middle, timed } from "./figure.js";
import { connections } from "./load.js";
import { createDatabase, insertToken, tidy, token, withConnection } from "./seed.js";
import { type Server, startEmitted } from "./servers.js";
import { ratioText } from "./table.js";
import { words } from "./words.js";
import { service, writeApp } from "./written-app.js";

const rows = 20_000;
/** Requests to each resource in a round. */
const requests = 2_000;

/** What it costs writes that a resource has a trash, or is searched by words: beside the same resource without that key. */
export const keptAndSearched: Check = {
  name: "writes with search or trash",
  async run({ adminUrl, plan }) {
    const app = await buildApp();
    const url = await createDatabase(adminUrl, "bench_kept_and_searched");
    await migrate({ url, directory: join(app, "migrations") });
    await withConnection(url, fill);
    await tidy(url);
    const server = await startEmitted(app, url);
    const results = [];
    for (const { name, resource, without, least, write } of writes) {
      const ids = await withConnection(url, (db) => idsOf(db, resource));
      const others = await withConnection(url, (db) => idsOf(db, without));
      const ratios: number[] = [];
      for (let round = 0; round <= plan.rounds; round += 1) {
        const part = (all: readonly string[]) =>
          all.slice(round * requests, (round + 1) * requests);
        const plain = await rateOf(
          server,
          part(others).map((id) => write(without, id)),
        );
        const ours = await rateOf(
          server,
          part(ids).map((id) => write(resource, id)),
        );
        // The first round warms up.
        if (round > 0) ratios.push(ours / plain);
      }
      const ratio = middle(ratios);
      const spread = `${ratioText(Math.min(...ratios))} to ${ratioText(Math.max(...ratios))}`;
      results.push({
        name,
        measured: `${ratioText(ratio)} × (${spread})`,
        ...{ target: `≥ ${least} ×`, met: ratio >= least },
      });
    }
    return results;
  },
};

interface Write {
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: object;
}

/** One of 4,096 words. */
const word = (id: string) => words[Number.parseInt(id.slice(-3), 16)];

const text = "Four words of text, and a few more of them that are searched by their stems. ".repeat(
  4,
);

const writes: readonly {
  readonly name: string;
  readonly resource: string;
  /** The same resource without the key. */
  readonly without: string;
  readonly least: number;
  readonly write: (resource: string, id: string) => Write;
}[] = [
  {
    ...{
      name: "POST, searched by three fields",
      resource: "searched",
      without: "plain",
      least: 0.75,
    },
    write: (resource, id) => ({
      ...{ method: "POST", path: `/${resource}` },
      body: { title: `The ${word(id)}`, summary: `A summary of the ${word(id)}`, text, stock: 1 },
    }),
  },
  {
    ...{
      name: "PATCH of another field, searched by three",
      resource: "searched",
      without: "plain",
    },
    least: 0.95,
    write: (resource, id) => ({ method: "PATCH", path: `/${resource}/${id}`, body: { stock: 2 } }),
  },
  {
    ...{ name: "DELETE, with a trash", resource: "kept", without: "plain", least: 0.8 },
    write: (resource, id) => ({ method: "DELETE", path: `/${resource}/${id}` }),
  },
  {
    ...{ name: "DELETE, with a trash and a link", resource: "linked", without: "linked-plain" },
    least: 0.8,
    write: (resource, id) => ({ method: "DELETE", path: `/${resource}/${id}` }),
  },
];

/** Requests a second of as many clients as send the other figures' requests, each with a connection. */
async function rateOf({ url }: Server, all: readonly Write[]): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const left = all.values();
  const began = performance.now();
  const client = async () => {
    for (const { method, path, body } of left) {
      const sent = request(`${url}/api${path}`, {
        ...{ agent, method },
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      });
      sent.end(body === undefined ? undefined : JSON.stringify(body));
      const [answer] = (await once(sent, "response")) as [IncomingMessage];
      answer.resume();
      await once(answer, "end");
      if ((answer.statusCode ?? 500) >= 300) {
        throw new Error(`${method} ${path} is answered with ${answer.statusCode}`);
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  agent.destroy();
  return (all.length / (performance.now() - began)) * 1000;
}

async function buildApp(): Promise<string> {
  const fields = `fields:
  title: { type: string, required: true, maxLength: 120 }
  summary: { type: text }
  text: { type: text }
  stock: { type: number, integer: true, required: true, default: 0 }
`;
  const link =
    "  shelfId: { type: belongsTo, resource: shelves, required: true, onDelete: cascade }\n";
  const search = "search: { language: english, fields: { title: A, summary: B, text: C } }\n";
  const root = await writeApp(
    Object.entries({
      plain: fields,
      searched: search + fields,
      kept: `trash: true\n${fields}`,
      linked: `trash: true\n${fields}${link}`,
      "linked-plain": `${fields}${link.replace("shelves", "plain-shelves")}`,
      shelves: "trash: true\nfields: { name: { type: string } }\n",
      "plain-shelves": "fields: { name: { type: string } }\n",
    }).map(([name, descriptor]) => ({ path: `resources/${name}.yaml`, text: descriptor })),
  );
  await timed([service, "-C", root, "generate"]);
  await execa("tsc", ["-p", root], { ...localTools, cwd: root });
  return root;
}

async function fill(db: pg.Client): Promise<void> {
  await insertToken(db);
  for (const shelves of ["shelves", "plain_shelves"]) {
    await db.query(
      `insert into ${shelves} (name) select 'Shelf ' || n from generate_series(1, 100) as n`,
    );
  }
  for (const table of ["plain", "searched", "kept", "linked", "linked_plain"]) {
    const shelves = table === "linked" ? "shelves" : "plain_shelves";
    const [column, value] = table.startsWith("linked")
      ? [", shelf_id", `, (array(select id from ${shelves} order by id))[1 + n % 100]`]
      : ["", ""];
    await db.query(
      `insert into ${table} (title, summary, text${column})
       select 'Title ' || n, 'A summary of ' || n, $1${value} from generate_series(1, ${rows}) as n`,
      [text],
    );
  }
}

async function idsOf(db: pg.Client, table: string): Promise<readonly string[]> {
  const { rows: found } = await db.query<{ id: string }>(
    `select id from ${table.replace("-", "_")} order by id`,
  );
  return found.map(({ id }) => id);
}
