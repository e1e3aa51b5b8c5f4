import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop, type Shop } from "../../support/apps/shop.js";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.app.close());

/** The slowest of all is that of the process that cleans its memory, or of another one on the machine. */
const percentiles = [50, 95];

interface Times {
  /** How many statements stored the records. */
  readonly statements: number;
  readonly ms: readonly number[];
}

/** Milliseconds of a thousand creates at these percentiles, when so many clients send one after the other. */
async function times(clients: number, name: string): Promise<Times> {
  const took: number[] = [];
  const client = async (number: number) => {
    for (let at = 0; at < 1_000 / clients; at += 1) {
      const began = performance.now();
      const { status } = await shop.admin.post(
        "/products",
        shop.product(`${name} ${number} ${at}`),
      );
      took.push(performance.now() - began);
      expect(status).toBe(201);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  const [row] = await shop.app.db.query<{ statements: number }>(
    "select count(distinct xmin::text)::integer as statements from products",
  );
  await shop.app.db.query("delete from products");
  took.sort((one, other) => one - other);
  return {
    statements: row?.statements ?? 0,
    ms: percentiles.map((each) => took[Math.ceil((took.length * each) / 100) - 1] ?? 0),
  };
}

test.each([
  { ms: 0, clients: 3 },
  { ms: 0, clients: 5 },
  { ms: 0, clients: 50 },
  { ms: 2, clients: 5 },
  { ms: 2, clients: 50 },
  { ms: 20, clients: 3 },
  { ms: 20, clients: 5 },
  { ms: 20, clients: 50 },
])(
  "if each takes $ms ms more, none of $clients clients waits for twice its time alone",
  async ({ ms, clients }) => {
    const { db } = shop.app;
    await db.query(`create function slow(text) returns boolean language plpgsql as
    $$begin ${ms === 0 ? "" : `perform pg_sleep(${ms / 1_000});`} return true; end$$`);
    await db.query("alter table products add constraint slow check (slow(name))");
    await db.query(`create or replace function own() returns trigger language plpgsql as
    $$begin return new; end$$`);
    try {
      const together = await measured();
      // A trigger of the app's own has each stored by itself.
      await db.query(
        "create trigger own before insert on products for each row execute function own()",
      );
      const alone = await measured();
      console.info({ ms, clients, percentiles, together, alone });
      expect(alone.statements).toBeGreaterThan(990);
      // Where it pays most.
      if (ms === 0 && clients === 50) expect(together.statements).toBeLessThan(500);
      for (const [at, time] of together.ms.entries()) {
        expect(time).toBeLessThanOrEqual(2 * (alone.ms[at] ?? 0));
      }
    } finally {
      await db.query("drop function slow cascade");
      await db.query("drop function own cascade");
    }

    async function measured(): Promise<Times> {
      await times(clients, "Warm");
      return times(clients, "Lamp");
    }
  },
);
