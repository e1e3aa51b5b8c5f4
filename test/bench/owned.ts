import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { execa } from "execa";
import type pg from "pg";
import { migrate } from "../../runtime/migrate/index.js";
import { localTools } from "../support/processes/tools.js";
import type { Case } from "./cases.js";
import type { Check } from "./check.js";
import { compareAnswers } from "./compare.js";
import { measureCase } from "./comparison.js";
import { createDatabase, handWrittenCopy, type Seeded, tidy, withConnection } from "./seed.js";
import { notes, startNotes } from "./servers.js";
import { rateText, ratioText } from "./table.js";

const rows = 1_000_000;
const owners = 1_000;

/** A page of own records with its total, as one of a thousand owners. */
export const ownerList: Check = {
  name: "list of own records, 1 000 000 rows of 1 000 owners",
  async run(stage) {
    await execa("tsc", ["-p", notes], { ...localTools, cwd: notes });
    const seeded = await seedNotebooks(stage.adminUrl);
    const forE = await handWrittenCopy(stage.adminUrl, seeded, "e");
    const servers = [await startNotes("emitted", seeded.url), await startNotes("E", forE)];
    const subject = { stage, seeded, servers };
    await compareAnswers(servers, list, seeded);
    const [ours, ofE] = await measureCase(list, subject);
    const ratio = (ours?.rate ?? 0) / (ofE?.rate ?? 0);
    const measured = `${ratioText(ratio)} × E (${rateText(ours?.rate ?? 0)}, ${rateText(ofE?.rate ?? 0)} a second)`;
    return [{ name: ownerList.name, measured, target: "≥ 20 × E", met: ratio >= 20 }];
  },
};

const list: Case = {
  name: "list of own records",
  rows: 1_000_000,
  method: "GET",
  paths: () => ["/api/notebooks"],
  target: { e: 20 },
};

/** As many records for each owner, and no two neighbours of the same one. */
async function seedNotebooks(adminUrl: string): Promise<Seeded> {
  const name = `bench_owned_${rows}`;
  const url = await createDatabase(adminUrl, name);
  await migrate({ url, directory: join(notes, "migrations") });
  const token = randomBytes(32).toString("base64url");
  await withConnection(url, (db) => fill(db, token));
  await tidy(url);
  const accounts = { addresses: [], password: "", hash: "" };
  const ids = { ids: [], categoryId: "", categoryIds: [], customerId: "" };
  return { name, url, products: 0, token, ...ids, accounts };
}

async function fill(db: pg.Client, token: string): Promise<void> {
  await db.query(
    `insert into service.users (id, name, email, email_verified_at)
     select uuidv7(), 'Bench', 'owner-' || n || '@example.com', now() from generate_series(1, $1) as n`,
    [owners],
  );
  await db.query(
    `insert into service.sessions (id, user_id, token_hash, proofs, last_used_at, expires_at)
     select uuidv7(), id, $1, '{password}', now(), now() + interval '1 day'
     from service.users where email = 'owner-1@example.com'`,
    [createHash("sha256").update(token).digest()],
  );
  for (let from = 0; from < rows; from += batch) {
    await db.query(
      `insert into notebooks (id, account_id, title, created_at, updated_at)
       select uuidv7(), ids[1 + n % $3], rpad('Notebook ' || n, 90, ' of words'), at, at
       from
         (select array_agg(id) as ids from service.users) as account,
         generate_series($1::int, $2::int) as n,
         lateral (select now() - make_interval(secs => 60 * ($4 - n)) as at) as made`,
      [from, Math.min(from + batch, rows) - 1, owners, rows],
    );
  }
}

/** A trigger that looks at all rows of a statement keeps them in memory. */
const batch = 100_000;
