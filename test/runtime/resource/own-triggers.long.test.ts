import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { created, newName, openShop, type Shop } from "../../support/apps/shop.js";
import type { Reply } from "../../support/http/client.js";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.app.close());

/** What the app's triggers do with a new product: a line in a table, and a number of a sequence, which no rollback takes back. */
const effects = `
  create table effects (product uuid);
  create sequence runs;
  create function note() returns trigger language plpgsql as
    $$begin insert into effects values (new.id); perform nextval('runs'); return new; end$$;
  create function note_statement() returns trigger language plpgsql as
    $$begin insert into effects values (null); perform nextval('runs'); return null; end$$;`;

beforeEach(async () => {
  const { db } = shop.app;
  await db.query("delete from products");
  await db.query(`do $do$begin ${effects.replaceAll("$$", "$note$")} end$do$`);
  // So that the server has looked at the table's triggers before the app creates one.
  await expect
    .poll(
      async () => {
        await db.query("delete from products");
        await postAll(products(20, "Before"));
        return largestStatement();
      },
      { interval: 300 },
    )
    .toBeGreaterThan(1);
});
afterEach(async () => {
  const { db } = shop.app;
  await db.query("drop table effects cascade");
  await db.query("drop sequence runs");
  await db.query("drop function if exists note, note_statement, meddle, service.own cascade");
});

function products(count: number, name: string): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, at) => shop.product(`${name} ${at}`, { stock: at }));
}

function postAll(sent: readonly object[]): Promise<readonly Reply<{ readonly id: string }>[]> {
  return Promise.all(sent.map((one) => shop.admin.post<{ readonly id: string }>("/products", one)));
}

async function numberOf(sql: string): Promise<number> {
  const [row] = await shop.app.db.query<{ n: number }>(`select (${sql})::int as n`);
  return row?.n ?? Number.NaN;
}

/** How many of the present products one statement has stored at most. */
function largestStatement(): Promise<number> {
  return numberOf(
    "select max(n) from (select count(*) as n from products group by xmin::text) as _",
  );
}

/** Two bursts: the first meets a trigger of which the server knows nothing yet. */
async function twoBursts(
  sent: (burst: string) => readonly object[],
  check: (replies: readonly Reply<{ readonly id: string }>[]) => Promise<void> | void,
): Promise<void> {
  for (const burst of ["First", "Second"]) {
    await shop.app.db.query("delete from products");
    const replies = await postAll(sent(burst));
    await check(replies);
    await expectEachStoredOnce(replies);
  }
}

/** Each answered 201 is one stored record with the id that was answered, and nothing else is stored. */
async function expectEachStoredOnce(
  replies: readonly Reply<{ readonly id: string }>[],
): Promise<void> {
  const made = replies.filter(({ status }) => status === 201);
  const ids = made.map(({ body: { id } }) => id);
  const stored = await shop.app.db.query<{ id: string }>("select id from products");
  expect(stored.map(({ id }) => id).sort()).toEqual(ids.toSorted());
  expect(made.map(({ headers }) => headers.location)).toEqual(
    ids.map((id) => `/api/products/${id}`),
  );
}

/** Creates a trigger with that body. */
async function meddleBy(
  body: string,
  trigger = "trigger meddle before insert on products for each row",
): Promise<void> {
  const { db } = shop.app;
  await db.query(
    `create function meddle() returns trigger language plpgsql as $$begin ${body} end$$`,
  );
  await db.query(`create ${trigger} execute function meddle()`);
}

describe("with a trigger of the app, each record in a response is stored once", () => {
  test("if it discards rows and changes the ids of others", async () => {
    await meddleBy(
      "if new.stock % 2 = 1 then return null; end if; new.id := gen_random_uuid(); return new;",
    );
    await twoBursts(
      (burst) => products(69, burst),
      (replies) => {
        expect(replies.map(({ status }) => status)).toEqual(
          replies.map((_, at) => (at % 2 === 1 ? 409 : 201)),
        );
      },
    );
  });

  test("if it gives some the id of another", async () => {
    await meddleBy(
      "if new.stock % 2 = 1 then new.id := (select id from categories limit 1); end if; return new;",
    );
    await twoBursts(
      (burst) => products(40, burst),
      (replies) => {
        const odd = replies.filter(({ status }, at) => at % 2 === 1 && status === 201);
        expect(odd).toHaveLength(1);
      },
    );
  });

  test.each([
    ["after each row", "after insert on products for each row", "note"],
    ["before each statement", "before insert on products for each statement", "note_statement"],
  ])("and the trigger takes effect once for each: %s", async (_, when, body) => {
    await shop.app.db.query(`create trigger effect ${when} execute function ${body}()`);
    let stored = 0;
    await twoBursts(
      (burst) => products(40, burst),
      (replies) => {
        stored += replies.filter(({ status }) => status === 201).length;
      },
    );
    expect(stored).toBe(80);
    expect(await numberOf("select count(*) from effects")).toBe(stored);
    expect(await numberOf("select last_value from runs")).toBe(stored);
  });

  test("if it refuses some when they are committed", async () => {
    await meddleBy(
      "if new.stock = 7 then raise exception 'no'; end if; return null;",
      `constraint trigger meddle after insert on products
       deferrable initially deferred for each row`,
    );
    await twoBursts(
      (burst) => products(40, burst),
      (replies) => {
        const refused = replies.flatMap(({ status }, at) => (status === 201 ? [] : [at]));
        expect(refused).toEqual([7]);
      },
    );
  });

  test("a rule of the app has the same effect on joint writes as on single ones", async () => {
    await shop.app.db.query(
      "create rule effect as on insert to products do also insert into effects values (new.id)",
    );
    try {
      await created(shop.admin, "products", shop.product("Alone"));
      const alone = await numberOf("select count(*) from effects");
      await twoBursts(
        (burst) => products(40, burst),
        () => {},
      );
      expect(await numberOf("select count(*) from effects")).toBe(81 * alone);
    } finally {
      await shop.app.db.query("drop rule effect on products");
    }
  });
});

test.each([
  [
    "that is disabled",
    `create trigger effect after insert on products for each row execute function note();
     alter table products disable trigger effect`,
  ],
  [
    "for updates and deletes",
    "create trigger effect after update or delete on products for each row execute function note()",
  ],
  [
    "of the package",
    `create function service.own() returns trigger language plpgsql as $own$begin return new; end$own$;
     create trigger effect before insert on products for each row execute function service.own()`,
  ],
])("a trigger %s still lets records be stored together", async (_, sql) => {
  await shop.app.db.query(`do $do$begin ${sql}; end$do$`);
  // Where a busy machine lets one burst wait for a lock too long, its records are stored one by one.
  await expect
    .poll(
      async () => {
        await twoBursts(
          (burst) => products(40, burst),
          () => {},
        );
        return largestStatement();
      },
      { interval: 300 },
    )
    .toBeGreaterThan(1);
});

describe("in a batch", () => {
  const batch = (operations: readonly object[]) =>
    shop.admin.post<{ data: readonly { id: string }[] }>("/_service/batch", { operations });

  test("a trigger of the app runs for each record as it does alone", async () => {
    await shop.app.db.query(
      "create trigger effect after insert on products for each statement execute function note_statement()",
    );
    for (const burst of ["First", "Second"]) {
      const reply = await batch(
        products(5, burst).map((values) => ({ create: "products", values })),
      );
      expect(reply.status, reply.text).toBe(200);
    }
    expect(await numberOf("select count(*) from effects")).toBe(10);
    expect(await numberOf("select last_value from runs")).toBe(10);
  });

  test("a record with another id than the one sent is linked to by its stored id", async () => {
    await meddleBy(
      "new.id := gen_random_uuid(); return new;",
      "trigger meddle before insert on categories for each row",
    );
    const values = shop.product("Linked");
    const reply = await batch([
      { create: "categories", values: { name: newName("Own id") } },
      { create: "categories", values: { name: newName("Own id") } },
      { create: "products", values: { ...values, categoryId: { ref: 1 } } },
    ]);
    expect(reply.status, reply.text).toBe(200);
    const [, category, product] = reply.body.data;
    expect(product).toMatchObject({ categoryId: category?.id });
  });
});
