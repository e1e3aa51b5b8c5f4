import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import { execa } from "execa";
import { type Database, migrate, openDatabase, startEmbedded } from "../../runtime/db/index.js";

/**
 * `npm run bench`: the shop's emitted server and the hand-written reference, one after the other in
 * one run on one database, three rounds; prints medians and their ratio.
 */
const rounds = 3;
const seconds = 4;
const connections = 32;
const products = 10_000;

const repository = join(import.meta.dirname, "../../..");
const shop = join(repository, "fixtures/apps/shop");

interface Server {
  readonly name: string;
  readonly url: string;
  readonly process: ChildProcess;
}

interface Case {
  readonly name: string;
  readonly path: string;
}

const folder = mkdtempSync(join(tmpdir(), "service-bench-"));
const embedded = await startEmbedded({ root: folder });
try {
  await run(embedded.url);
} finally {
  await embedded.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function run(url: string): Promise<void> {
  await migrate({ url, directory: join(shop, "migrations") });
  const db = openDatabase({ url, poolSize: 1, prepare: false });
  const { token, id } = await seed(db);
  await db.close();
  await execa("npx", ["tsc", "-p", shop], { cwd: repository });
  const servers = [await startEmitted(url), await startReference(url)];
  const cases: Case[] = [
    { name: "GET one", path: `/api/products/${id}` },
    { name: "list of 25", path: "/api/products" },
  ];
  try {
    for (const one of cases) await compare(servers, one, token);
  } finally {
    for (const server of servers) server.process.kill("SIGKILL");
  }
}

async function compare(servers: readonly Server[], { name, path }: Case, token: string) {
  const headers = { accept: "application/json", authorization: `Bearer ${token}` };
  const answers = await Promise.all(
    servers.map(async ({ url }) => (await fetch(url + path, { headers })).json()),
  );
  if (JSON.stringify(answers[0]) !== JSON.stringify(answers[1])) {
    throw new Error(`${name}: the servers give different answers`);
  }
  const rates = servers.map((): number[] => []);
  for (let round = -1; round < rounds; round += 1) {
    for (const [at, server] of servers.entries()) {
      const duration = round < 0 ? 2 : seconds;
      const result = await autocannon({ url: server.url + path, headers, connections, duration });
      if (result.non2xx > 0) throw new Error(`${name}: ${server.name} refused ${result.non2xx}`);
      // The first round warms up.
      if (round >= 0) rates[at]?.push(result.requests.average);
    }
  }
  const medians = rates.map((values) => values.toSorted((a, b) => a - b)[1] ?? 0);
  const [ours = 0, reference = 1] = medians;
  const figures = medians.map((rate, at) => `${servers[at]?.name} ${Math.round(rate)}/s`);
  process.stdout.write(
    `${name}: ${figures.join(", ")}, ratio ${(ours / reference).toFixed(2)} (median of ${rounds})\n`,
  );
}

async function startEmitted(url: string): Promise<Server> {
  const port = await freePort();
  const environment = {
    DATABASE_URL: url,
    PORT: String(port),
    SERVICE_LOG_LEVEL: "warn",
    SERVICE_SECRET: "a secret for measuring, long enough",
  };
  return start("emitted", port, [join(shop, "dist/server.js")], environment);
}

async function startReference(url: string): Promise<Server> {
  const port = await freePort();
  const script = join(repository, "dist/test/bench/reference/express.js");
  return start("Express + pg by hand", port, [script, "--url", url, "--port", String(port)], {});
}

async function start(
  name: string,
  port: number,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Server> {
  const env = { ...process.env, NODE_ENV: "production-like", ...environment };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "inherit", "inherit"] });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries += 1) {
    const answered = await fetch(`${url}/api/_service/ping`).catch(() => null);
    if (answered !== null) return { name, url, process: child };
    await sleep(100);
  }
  child.kill("SIGKILL");
  throw new Error(`${name} did not start`);
}

/** An account with a token, one category and many products; the middle product's id. */
async function seed(db: Database): Promise<{ token: string; id: string }> {
  const token = randomBytes(32).toString("base64url");
  await db.query(
    `with account as (
      insert into service.users (id, name, email, role, email_verified_at)
      values (gen_random_uuid(), 'Bench', 'bench@example.com', 'admin', now())
      returning id
    )
    insert into service.sessions (id, user_id, token_hash, proofs, last_used_at, expires_at)
    select gen_random_uuid(), id, $1, '{password}', now(), now() + interval '1 day' from account`,
    [createHash("sha256").update(token).digest()],
  );
  await db.query("insert into categories (id, name) values (gen_random_uuid(), 'All')");
  await db.query(
    `insert into products (id, name, description, price, category_id, status, created_at)
    select gen_random_uuid(), 'Product ' || n, 'A description of product ' || n, n % 900 + 0.5,
      (select id from categories), (array['draft', 'live', 'gone'])[n % 3 + 1],
      now() - n * interval '1 minute'
    from generate_series(1, $1) as n`,
    [products],
  );
  const [row] = await db.query<{ id: string }>(
    "select id from products order by created_at offset $1 limit 1",
    [products / 2],
  );
  return { token, id: row?.id ?? "" };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        resolve(typeof address === "object" && address !== null ? address.port : 0),
      );
    });
  });
}
