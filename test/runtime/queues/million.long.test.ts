import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Database,
  databaseWithin,
  openDatabase,
  type Queryable,
} from "../../../runtime/db/index.js";
import { claimJobs, renewLeases } from "../../../runtime/jobs/store/claim.js";
import { deleteDone } from "../../../runtime/jobs/store/end.js";
import { claimFirstMail, claimMail } from "../../../runtime/mail/queue/claim.js";
import { deleteUnused } from "../../../runtime/uploads/prune/delete-unused.js";
import { disownObjects, removeObjects } from "../../../runtime/uploads/prune/remove-objects.js";
import { claimDeliveries } from "../../../runtime/webhooks/store/claim.js";
import { createDatabase } from "../../support/database/database.js";

let database: Awaited<ReturnType<typeof createDatabase>>;
let db: Database;
beforeAll(async () => {
  database = await createDatabase();
  // One connection, whose prepared statements keep the plans that were made while the tables were empty.
  db = openDatabase({ url: database.url, poolSize: 1, prepare: true });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const million = 1_000_000;
const account = "00000000-0000-4000-8000-000000000001";
const webhook = "00000000-0000-4000-8000-000000000002";

/** Rows of the tables that the work reads, by whatever plan. */
async function rowsRead(
  tables: readonly string[],
  work: (db: Database) => Promise<unknown>,
): Promise<number> {
  return db.transaction(async (connection) => {
    const before = await readSoFar(connection, tables);
    await work(databaseWithin(connection));
    return (await readSoFar(connection, tables)) - before;
  });
}

async function readSoFar(connection: Queryable, tables: readonly string[]): Promise<number> {
  const [row] = await connection.query<{ read: number }>(
    `select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::float8 as read
     from pg_stat_xact_user_tables
     where schemaname = 'service' and relname = any ($1)`,
    [tables],
  );
  return row?.read ?? Number.NaN;
}

interface Queue {
  readonly tables: readonly string[];
  /** Statements that fill it with rows that wait for tomorrow. */
  readonly fill: readonly string[];
  /** What is done again and again while they wait. */
  readonly work: Readonly<Record<string, (db: Database) => Promise<unknown>>>;
}

const held = [{ id: account, claim: account }];
const { signal } = new AbortController();
const tomorrow = "now() + interval '1 day'";
const before = () => new Date(Date.now() - 86_400_000);

const queues: Readonly<Record<string, Queue>> = {
  jobs: {
    tables: ["jobs"],
    fill: [
      `insert into service.jobs (id, name, input, tries, priority, due_at, scheduled_at)
       select gen_random_uuid(), (array['a', 'b'])[1 + n % 2], '{}', 10, n % 3, ${tomorrow}, now()
       from generate_series(1, ${million}) n`,
      `insert into service.jobs (id, name, input, tries, due_at, scheduled_at)
       select gen_random_uuid(), 'a', '{}', 10, now(), now() from generate_series(1, 100)`,
    ],
    work: {
      claimed: (one) =>
        claimJobs(one, {
          kinds: new Map(
            ["a", "b"].map((name) => [name, { maxAttempts: 10, timeout: 60, concurrency: null }]),
          ),
          ...{ most: 5, leaseSeconds: 20, done: held, now: null },
        }),
      renewed: (one) => renewLeases(one, held, 20),
      deleted: (one) => deleteDone(one, held),
    },
  },
  mails: {
    tables: ["mails"],
    fill: [
      `insert into service.mails (id, email, kind, queue, sealed, turn, due_at, expires_at)
       select gen_random_uuid(), n || '@example.com', 'own', 'own', '', n % 5, ${tomorrow}, ${tomorrow}
       from generate_series(1, ${million}) n`,
    ],
    work: {
      claimed: (one) => claimMail(one, { ahead: 0, leaseSeconds: 60 }),
      first: (one) => claimFirstMail(one, { ahead: 0, leaseSeconds: 60, except: [] }),
    },
  },
  deliveries: {
    tables: ["webhook_deliveries"],
    fill: [
      `insert into service.users (id, email, name) values ('${account}', 'a@example.com', 'A')`,
      `insert into service.webhooks (id, url, events, secret, by_id, position, log)
       values ('${webhook}', 'https://example.com', '{}', '', '${account}', 0, '${account}')`,
      `insert into service.webhook_deliveries (id, webhook_id, type, record_id, body, next_at)
       select gen_random_uuid(), '${webhook}', 'test', gen_random_uuid(), '{}', ${tomorrow}
       from generate_series(1, ${million}) n`,
    ],
    work: {
      claimed: (one) =>
        claimDeliveries(one, {
          ...{ most: 20, mostFailing: 10, mostEach: 10, mostEachFailing: 2 },
          ...{ underWay: new Map(), leaseSeconds: 20 },
        }),
    },
  },
  uploads: {
    tables: ["uploads", "stored_objects"],
    fill: [
      `insert into service.uploads (key, resource, field, details)
       select 'key-' || n, 'products', 'picture', '{}' from generate_series(1, ${million}) n`,
      `insert into service.stored_objects (key, upload_key, size)
       select key, key, 1 from service.uploads`,
    ],
    work: {
      deleted: (one) =>
        deleteUnused(one, { uses: "true", now: new Date(), before: before(), signal }),
      disowned: (one) => disownObjects(one, { before: before(), signal }),
      removed: (one) =>
        removeObjects({ db: one, storage: { remove: async () => null } as never }, signal),
    },
  },
};

const cases = Object.entries(queues).map(([name, queue]) => ({ name, queue }));

test.each(cases)(
  "a million waiting $name are never read, whatever the statistics say",
  async (one) => {
    const { tables, fill, work } = one.queue;
    for (const table of tables) {
      await db.query(`alter table service.${table} set (autovacuum_enabled = off)`);
      await db.query(`vacuum analyze service.${table}`);
    }
    // After five the plans are kept.
    for (const act of Object.values(work)) for (let n = 0; n < 7; n += 1) await act(db);
    await withoutTriggers(fill);
    const found: Record<string, unknown> = {};
    for (const state of ["kept plans", "statistics of none", "statistics"]) {
      if (state === "statistics of none") await db.query("discard plans");
      if (state === "statistics")
        for (const table of tables) await db.query(`analyze service.${table}`);
      for (const [what, act] of Object.entries(work)) {
        const begun = performance.now();
        const read = await rowsRead(tables, act);
        console.info(one.name, state, what, read, Math.round(performance.now() - begun));
        if (read > 100) found[`${what}, ${state}`] = read;
      }
    }
    expect(found).toEqual({});
  },
  300_000,
);

/** On a connection without limits of time. */
async function withoutTriggers(statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("set session_replication_role = replica");
  for (const statement of statements) await client.query(statement);
  await client.end();
}
