import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ImportRequest } from "../../runtime/data/index.js";
import { type End, type ImportingShop, openImportingShop } from "../support/apps/importing-shop.js";
import { newRandom } from "../support/openapi/random.js";

let shop: ImportingShop;
beforeAll(async () => {
  shop = await openImportingShop();
});
afterEach(() => shop.db.query("truncate categories, products, coupons cascade"));
afterAll(() => shop.close());

const tea = "018f0000-0000-7000-8000-000000000001";

const addTea = () => shop.db.query("insert into categories (id, name) values ($1, 'Tea')", [tea]);

const names = async (table = "products") => {
  const rows = await shop.db.query<{ name: string }>(`select name from ${table} order by id`);
  return rows.map(({ name }) => name);
};

function resultOf(end: End) {
  if (end.kind === "refused") throw new Error(end.message);
  const { errors, ...counts } = end.result;
  return { ...counts, isWrong: end.kind === "failed" || end.isWrong, errors };
}

const mistakes = (end: End) =>
  resultOf(end).errors.map(({ row, line, column, message }) => [row, line, column, message]);

const clean = { from: 1, updated: 0, refused: 0, errors: [], more: 0, hasErrorsFile: false };

test("rows become records as by POST, in the order of the file, with defaults and empty values", async () => {
  await addTea();
  const end = await shop.import(
    "products",
    `name,price,categoryId,active,description\nGreen,1.50,${tea},TRUE,\nBlack,2,${tea},false,"a\nb"\n`,
  );
  expect(resultOf(end)).toEqual({ ...clean, rows: 2, created: 2, isWrong: false });
  const rows = await shop.db.query(
    "select name, price, active, description, status, stock from products order by id",
  );
  expect(rows).toEqual([
    { name: "Green", price: "1.50", active: true, description: null, status: "draft", stock: "0" },
    {
      name: "Black",
      price: "2.00",
      active: false,
      description: "a\nb",
      status: "draft",
      stock: "0",
    },
  ]);
  const [{ total } = { total: "" }] = await shop.db.query<{ total: string }>(
    "select sum(total) as total from service.products__tally",
  );
  expect(total).toBe("2");
});

test("texts that resemble escapes of COPY are stored unchanged", async () => {
  const texts = ["a\tb", "\\N", "\\.", "a\\b\\tc", "a\r\nb", "NULL", "\u0001 ✓ 𝄞", " a "];
  const records = texts.map((name, at) => ({ name, parentId: texts[at - 1] ?? null }));
  const link = { parentId: "name" };
  const end = await shop.import("categories", JSON.stringify(records), { format: "json", link });
  expect(mistakes(end)).toEqual([]);
  const stored = await shop.db.query(
    `select one.name, other.name as parent
    from categories as one left join categories as other on other.id = one.parent_id
    order by one.id`,
  );
  expect(stored).toEqual(texts.map((name, at) => ({ name, parent: texts[at - 1] ?? null })));
});

test("texts are stored in NFC, and found in any form", async () => {
  const [composed, other] = ["Caf\u00e9", "Cafe\u0301"];
  const text = `name,parentId\n${other},\nSub,${other}\nLast,${composed}\n${composed},\n`;
  const link = { parentId: "name" };
  const end = await shop.import("categories", text, { link, onError: "skip" });
  expect(mistakes(end)).toEqual([[4, 5, "name", "Another record has this value"]]);
  const again = `name,position\n${other},7\n${composed},8\n`;
  const upserted = await shop.import("categories", again, { upsert: "name" });
  expect(resultOf(upserted)).toMatchObject({ created: 0, updated: 2, refused: 0 });
  const further = await shop.import("categories", `name,parentId\nNext,${other}\n`, { link });
  expect(mistakes(further)).toEqual([]);
  const stored = await shop.db.query(
    `select one.name, one.position, other.name as parent
    from categories as one left join categories as other on other.id = one.parent_id order by one.id`,
  );
  expect(stored).toEqual([
    { name: composed, position: "8", parent: null },
    { name: "Sub", position: "1", parent: composed },
    { name: "Last", position: "1", parent: composed },
    { name: "Next", position: "1", parent: composed },
  ]);
});

test("a key is trimmed, and so is a link to it", async () => {
  const text = "code,discount\n ABCD ,0.1\nABCD,0.2\n";
  const end = await shop.import("coupons", text, { upsert: "code" });
  expect(resultOf(end)).toMatchObject({ created: 1, updated: 1, refused: 0 });
  await shop.import("customers", "name,email\nAnn,a@example.com\n");
  const order = "number,customerId,placedAt,couponId\n1,a@example.com,2025-01-01T00:00:00Z, ABCD\n";
  const linked = await shop.import("orders", order, {
    link: { couponId: "code", customerId: "email" },
  });
  expect(mistakes(linked)).toEqual([]);
  await shop.db.query("truncate coupons, customers, orders cascade");
});

test("an id and times are stored as given; a taken id is a mistake", async () => {
  const times = "2020-01-02T03:04:05.600Z,2021-01-02T03:04:05.678Z";
  const id = "018F0000-0000-7000-8000-00000000AAAA";
  const text = `id,name,createdAt,updatedAt\n${id},A,${times}\n${id},B,${times}\n`;
  const end = await shop.import("categories", text, { onError: "skip" });
  expect(mistakes(end)).toEqual([[2, 3, "id", "Another record has this value"]]);
  const stored = await shop.db.query(
    "select id, service.iso_time(created_at) as c, service.iso_time(updated_at) as u from categories",
  );
  expect(stored).toEqual([
    { id: id.toLowerCase(), c: "2020-01-02T03:04:05.600Z", u: "2021-01-02T03:04:05.678Z" },
  ]);
  const wrong = await shop.import("categories", "id,name,createdAt\nx,C,yesterday\n");
  expect(mistakes(wrong)).toEqual([
    [1, 2, "id", "Must be an id (UUID)"],
    [1, 2, "createdAt", "Must be a time: YYYY-MM-DDThh:mm:ssZ"],
  ]);
});

describe("the header", () => {
  test("with columns that are unknown, repeated or missing is refused before any row", async () => {
    const end = await shop.import("products", "name,prise,name,notes\n");
    expect(resultOf(end)).toMatchObject({ rows: 0, created: 0, refused: 0, isWrong: true });
    expect(mistakes(end)).toEqual([
      [0, 1, "prise", 'This is not a field: did you mean "price"?'],
      [0, 1, "name", "This column is repeated"],
      [0, 1, "notes", "This is not a field"],
      [0, 1, null, "No column for price, which is required"],
      [0, 1, null, "No column for categoryId, which is required"],
    ]);
  });

  test("is renamed by --map", async () => {
    const map = { Titel: "name", Notiz: "" };
    const end = await shop.import("categories", "Titel;Notiz\nTee;x\n", { map });
    expect(resultOf(end)).toMatchObject({ created: 1, isWrong: false });
    const wrong = await shop.import("categories", 'Titel;Notiz\n"";x\n', { map });
    expect(mistakes(wrong)).toEqual([[1, 2, "Titel", "A value is required"]]);
  });

  test("in UTF-16, or missing, is reported", async () => {
    const utf16 = Buffer.from("\ufeffname\n", "utf16le");
    expect(mistakes(await shop.import("categories", utf16))).toEqual([
      [0, null, null, expect.stringContaining("UTF-16")],
    ]);
    expect(mistakes(await shop.import("categories", ""))).toEqual([
      [0, null, null, "The file has no header"],
    ]);
    const marked = await shop.import("categories", "\ufeffname\r\nTea\r\n");
    expect(resultOf(marked)).toMatchObject({ created: 1, isWrong: false });
  });
});

/** Whatever the way in which the rows are stored, the mistakes are the same. */
describe.each([
  ["stop", {}],
  ["skip", { onError: "skip" }],
  ["a dry skip", { onError: "skip", isDry: true }],
] as const)("with %s", (_, options) => {
  test("all mistakes of each row are reported with their line and column", async () => {
    await addTea();
    await shop.db.query(
      "insert into products (id, name, price, category_id) values (service.uuid_v7(), 'Old', 1, $1)",
      [tea],
    );
    const unknown = "018f0000-0000-7000-8000-00000000ffff";
    const end = await shop.import(
      "products",
      [
        "name,price,releasedOn,soldOutAt,active,categoryId",
        `Good,1,,,,${tea}`.replace(",,,,", ",,,true,"),
        `Old,"1,5",31.1.2026,2026-01-31 10:00:00,yes,${unknown}`,
        `"two\nlines",1,,,true,${tea}`,
        `Good,1,,,true,${tea}`,
        `few,1`,
        `a"b,1,,,true,${tea}`,
        `Last,-1,,,,${tea}`,
        "",
      ].join("\n"),
      options,
    );
    expect(mistakes(end)).toEqual([
      [2, 3, "name", "Another record has this value"],
      [2, 3, "price", "Must be a number as in JSON: 1234.5"],
      [2, 3, "releasedOn", "Must be a date: YYYY-MM-DD"],
      [2, 3, "soldOutAt", "Must be a time: YYYY-MM-DDThh:mm:ssZ"],
      [2, 3, "active", "Must be true or false"],
      [2, 3, "categoryId", "No such record"],
      [4, 6, "name", "Another record has this value"],
      [5, 7, null, "Expected 6 cells, found 2"],
      [6, 8, null, "A quotation mark inside a cell that does not begin with one"],
      [7, 9, "price", "Must be at least 0"],
      [7, 9, "active", "A value is required"],
    ]);
    const isStop = !("onError" in options);
    expect(resultOf(end)).toMatchObject({
      rows: 7,
      created: isStop ? 0 : 2,
      refused: 5,
      more: 0,
      isWrong: true,
    });
    const isStored = !isStop && !("isDry" in options);
    expect(await names()).toEqual(isStored ? ["Old", "Good", "two\nlines"] : ["Old"]);
  });

  test("a stored file is not reused for another field", async () => {
    await addTea();
    const keyOf = (field: string) => `products/${field}/2026/01/${randomUUID()}-a.pdf`;
    const [manual = "", image = ""] = ["manual", "image"].map(keyOf);
    await shop.db.query(
      `insert into service.uploads (key, resource, field, details, created_at, unused_since)
       select key, 'products', field, '{}', now(), now()
       from (values ($1, 'manual'), ($2, 'image')) as _file (key, field)`,
      [manual, image],
    );
    const end = await shop.import(
      "products",
      `name,price,active,categoryId,image,manual\nA,1,true,${tea},${image},${manual}\nB,1,true,${tea},${manual},\n`,
      options,
    );
    expect(mistakes(end)).toEqual([
      [2, 3, "image", "No file was uploaded to this field under this key"],
    ]);
    const isStored = "onError" in options && !("isDry" in options);
    expect(await names()).toEqual(isStored ? ["A"] : []);
    const unused = await shop.db.query(
      "select unused_since is not null as is from service.uploads where key in ($1, $2)",
      [manual, image],
    );
    expect(unused).toEqual([{ is: !isStored }, { is: !isStored }]);
  });
});

test("mistakes beyond a hundred are counted", async () => {
  const rows = Array.from({ length: 150 }, (_, at) => `x${at},0`).join("\n");
  const end = await shop.import("categories", `name,position\n${rows}\n`);
  expect(resultOf(end)).toMatchObject({ rows: 150, refused: 150, more: 50 });
  expect(resultOf(end).errors).toHaveLength(100);
});

test("a dry run stores nothing and reports the same", async () => {
  const end = await shop.import("categories", "name\nTea\n", { isDry: true });
  expect(resultOf(end)).toEqual({ ...clean, rows: 1, created: 1, isWrong: false });
  expect(await names("categories")).toEqual([]);
});

describe("links", () => {
  test("finds names again even beyond the size of its cache", async () => {
    await shop.db.query(
      "insert into categories (id, name) select gen_random_uuid(), 'N' || n from generate_series(1, 10200) as n",
    );
    // A name of the first rows in every tenth one.
    const rows = Array.from({ length: 10_200 }, (_, at) => {
      const name = at % 10 === 9 ? `N${(at % 90) + 1}` : `N${at + 1}`;
      return `P${at},1,${name}\n`;
    });
    const text = `name,price,categoryId\n${rows.join("")}`;
    const end = await shop.import("products", text, { link: { categoryId: "name" } });
    expect(mistakes(end)).toEqual([]);
    expect(resultOf(end)).toMatchObject({ created: 10_200 });
  });

  test("name their target by a unique field", async () => {
    await addTea();
    const link = { categoryId: "name" };
    const text = "name,price,categoryId\nGreen,1,Tea\nBean,1,Coffee\n";
    for (const onError of ["stop", "skip"] as const) {
      const end = await shop.import("products", text, { link, onError });
      expect(mistakes(end)).toEqual([[2, 3, "categoryId", "No such record"]]);
    }
    expect(await names()).toEqual(["Green"]);
  });

  test("name accounts by their address, in any form of it", async () => {
    const [{ id } = { id: "" }] = await shop.db.query<{ id: string }>(
      `insert into service.users (id, name, email)
      values (gen_random_uuid(), 'Ann', 'linked@example.com') returning id`,
    );
    const end = await shop.import(
      "customers",
      "name,email,accountId\nAnn,a@example.com,Linked@Example.com\nBob,b@example.com,no@example.com\nEve,e@example.com,\n",
      { link: { accountId: "email" }, onError: "skip" },
    );
    expect(mistakes(end)).toEqual([[2, 3, "accountId", "No such record"]]);
    const rows = await shop.db.query(
      "select name, account_id from customers where email like '_@example.com' order by name",
    );
    expect(rows).toEqual([
      { name: "Ann", account_id: id },
      { name: "Eve", account_id: null },
    ]);
    await shop.db.query("truncate customers cascade");
    const wrong = await shop.import("customers", "name,email\nAnn,a@example.com\n", {
      link: { accountId: "name" },
    });
    expect(wrong).toMatchObject({
      kind: "refused",
      message: "--link: Accounts are found by email, not by name",
    });
  });

  test("to the same resource may name any row with stop, an earlier one with skip", async () => {
    const [first, second] = [tea, tea.replace(/1$/, "2")];
    const text = `id,name,parentId\n${first},Child,${second}\n${second},Parent,\n`;
    const skipped = await shop.import("categories", text, { onError: "skip" });
    expect(mistakes(skipped)).toEqual([[1, 2, "parentId", "No such record"]]);
    expect(await names("categories")).toEqual(["Parent"]);
    await shop.db.query("truncate categories cascade");
    expect(resultOf(await shop.import("categories", text))).toMatchObject({ created: 2 });
    await shop.db.query("truncate categories cascade");
    const byName = "name,parentId\nChild,Parent\nParent,\nLost,Nobody\nOwn,Lost\n";
    const link = { parentId: "name" };
    const end = await shop.import("categories", byName, { link });
    expect(mistakes(end)).toEqual([
      [3, 4, "parentId", "No such record"],
      [4, 5, "parentId", "No such record"],
    ]);
    const sound = await shop.import("categories", byName.split("Lost")[0] ?? "", { link });
    expect(resultOf(sound)).toMatchObject({ created: 2, isWrong: false });
  });
});

describe("--upsert", () => {
  test("changes the record of a key with the columns of the file, or creates one, in row order", async () => {
    await shop.db.query(
      "insert into categories (id, name, summary, position) values ($1, 'Tea', 'kept', 5)",
      [tea],
    );
    const text = "name,position\nTea,7\nCoffee,8\nCoffee,9\n,1\n";
    const end = await shop.import("categories", text, { upsert: "name", onError: "skip" });
    expect(resultOf(end)).toMatchObject({ rows: 4, created: 1, updated: 2, refused: 1 });
    expect(mistakes(end)).toEqual([[4, 5, "name", "A value is required"]]);
    expect(
      await shop.db.query("select name, summary, position from categories order by name"),
    ).toEqual([
      { name: "Coffee", summary: null, position: "9" },
      { name: "Tea", summary: "kept", position: "7" },
    ]);
  });

  test("finds records by fields that are unique together, even links by name", async () => {
    await addTea();
    await shop.import("products", `name,price,categoryId\nGreen,1,${tea}\nBlack,1,${tea}\n`);
    await shop.import("customers", "name,email\nAnn,a@example.com\n");
    const options = {
      upsert: "customerId+productId",
      link: { productId: "name", customerId: "email" },
      onError: "skip" as const,
    };
    const header = "productId,customerId,rating,body";
    const first = await shop.import(
      "reviews",
      `${header}\nGreen,a@example.com,5,Very good tea\nBlack,a@example.com,1,Not for me at all\n`,
      options,
    );
    expect(resultOf(first)).toMatchObject({ created: 2, updated: 0, refused: 0 });
    const second = await shop.import(
      "reviews",
      `${header}\nGreen,a@example.com,4,Still good tea\nGreen,,3,Without a customer\n`,
      options,
    );
    expect(resultOf(second)).toMatchObject({ created: 0, updated: 1, refused: 1 });
    expect(mistakes(second)).toEqual([[2, 3, "customerId", "A value is required"]]);
    const rows = await shop.db.query("select rating, body from reviews order by id");
    expect(rows).toEqual([
      { rating: "4", body: "Still good tea" },
      { rating: "1", body: "Not for me at all" },
    ]);
    await shop.db.query("truncate customers, reviews cascade");
  });

  test("finds records by id, without changing it or its times", async () => {
    await addTea();
    const text = `id,name,createdAt\n${tea},Green tea,2001-01-01T00:00:00Z\n`;
    const end = await shop.import("categories", text, { upsert: "id" });
    expect(resultOf(end)).toMatchObject({ updated: 1, created: 0, isWrong: false });
    const [row] = await shop.db.query<object>(
      "select id, name, created_at > '2020-01-01' as is_own from categories",
    );
    expect(row).toEqual({ id: tea, name: "Green tea", is_own: true });
    const refused = await shop.import("categories", "position\n1\n", { upsert: "position" });
    expect(refused).toMatchObject({
      kind: "refused",
      message: expect.stringContaining("not unique"),
    });
  });

  /** How many statements of each kind write categories meanwhile. */
  async function statementsDuring(work: () => Promise<void>): Promise<Record<string, number>> {
    await shop.db.query("create table statements (kind text)");
    await shop.db.query(
      `create function service.noted() returns trigger language plpgsql as
      $$ begin insert into statements values (tg_op); return null; end $$`,
    );
    await shop.db.query(
      `create trigger noted after insert or update on categories
      for each statement execute function service.noted()`,
    );
    try {
      await work();
      const kinds = await shop.db.query<{ kind: string; count: number }>(
        "select kind, count(*)::int as count from statements group by kind",
      );
      return Object.fromEntries(kinds.map(({ kind, count }) => [kind, count]));
    } finally {
      await shop.db.query("drop function service.noted cascade");
      await shop.db.query("drop table statements");
    }
  }

  test("stores many rows in few statements, for every way to find their records", async () => {
    const ids = Array.from({ length: 1_000 }, () => randomUUID());
    const fileOf = (upsert: "id" | "name", last: number) => {
      const rows = ids.map((id, at) => {
        const own = upsert === "id" ? `${id},n${at}` : `n${at}`;
        return `${own},${at === 700 ? last : 7}`;
      });
      return `${upsert === "id" ? "id,name" : "name"},position\n${rows.join("\n")}\n`;
    };
    await shop.import("categories", fileOf("id", 7).split("\n").slice(0, 501).join("\n"));
    for (const upsert of ["id", "name"] as const) {
      const counts = await statementsDuring(async () => {
        const end = await shop.import("categories", fileOf(upsert, 0), {
          upsert,
          onError: "skip",
        });
        expect(resultOf(end)).toMatchObject({ created: 499, updated: 500, refused: 1 });
      });
      expect(counts.INSERT).toBeLessThan(10);
      expect(counts.UPDATE).toBeLessThan(10);
      await shop.db.query("delete from categories where substr(name, 2)::int >= 500");
    }
  });

  test("finds values that earlier rows stored, and refuses values that they took", async () => {
    const ids = Array.from({ length: 1_000 }, () => randomUUID());
    const rows = ids.map((id, at) => {
      if (at === 700) return `${ids[3]},n700,1`;
      return at === 800 ? `${id},n5,9` : `${id},n${at},1`;
    });
    const end = await shop.import("categories", `id,name,position\n${rows.join("\n")}\n`, {
      upsert: "name",
      onError: "skip",
    });
    expect(resultOf(end)).toMatchObject({ rows: 1_000, created: 998, updated: 1, refused: 1 });
    expect(mistakes(end)).toEqual([[701, 702, "id", "Another record has this value"]]);
    const changed = await shop.db.query("select id, name from categories where position = 9");
    expect(changed).toEqual([{ id: ids[5], name: "n5" }]);
  });

  test("has the same results as storing row by row", async () => {
    const ids = Array.from({ length: 6 }, (_, at) => `018f0000-0000-7000-8000-00000000000${at}`);
    const random = newRandom(7);
    const one = random.pick;
    const words = ["Tea", "tea", "Coffee", "Cups", "Pots", "Cake", ""];
    const state = () =>
      shop.db.query(
        `select one.name, one.summary, one.position, two.name as parent
        from categories as one left join categories as two on two.id = one.parent_id
        order by one.name`,
      );
    for (let round = 0; round < 20; round += 1) {
      const isByName = round % 2 === 0;
      const rows = Array.from({ length: 12 }, () => ({
        ...(!isByName && { id: one([...ids, ...ids, "x", null]) }),
        name: one(words),
        ...(random.chance(0.8) && { position: one([1, 2, 3, 4, 5, 6, 7, 8, 9, 0]) }),
        ...(random.chance(0.3) && { parentId: isByName ? one(words) : one(ids) }),
        summary: one(["a", "b", null]),
      }));
      const options = {
        format: "json",
        upsert: isByName ? "name" : "id",
        link: isByName ? { parentId: "name" } : {},
        onError: one(["stop", "skip"] as const),
      } as const;
      const run = async () => {
        await shop.db.query("truncate categories cascade");
        await shop.db.query(
          `insert into categories (id, name) values ('${ids[0]}', 'Tea'), ('${ids[1]}', 'Cups'), ('${ids[2]}', 'Pots')`,
        );
        const end = await shop.import("categories", JSON.stringify(rows), options);
        return { result: resultOf(end), state: await state() };
      };
      const joined = await run();
      // A unique index that no descriptor knows.
      await shop.db.query("create unique index own on categories (id, name)");
      try {
        expect(joined, `round ${round}: ${JSON.stringify(rows)}`).toEqual(await run());
      } finally {
        await shop.db.query("drop index own");
      }
    }
  });
});

describe("--on-error skip", () => {
  test("writes refused rows to a file that can be imported again", async () => {
    const text = 'name,position\nTea,1\n"x, y",0\nTea,2\n"open,3\n';
    const end = await shop.import("categories", text, { onError: "skip" });
    expect(resultOf(end)).toMatchObject({ created: 1, refused: 3, hasErrorsFile: true });
    expect(shop.errors()).toBe(
      [
        "_row,_line,_column,_message,name,position",
        '2,3,position,Must be at least 1,"x, y",0',
        "3,4,name,Another record has this value,Tea,2",
        "4,5,,A quotation mark is never closed,,",
        "",
      ].join("\r\n"),
    );
    const corrected = (shop.errors() ?? "").replace(",0\r\n", ",4\r\n").split("4,5,")[0] ?? "";
    const again = await shop.import("categories", corrected.replace(",Tea,2", ",Mate,2"), {
      onError: "skip",
    });
    expect(resultOf(again)).toMatchObject({ created: 2, refused: 0, hasErrorsFile: false });
    expect(shop.errors()).toBe(null);
  });

  test("continues after the last committed row with --resume, and refuses to start again without an option", async () => {
    const rows = Array.from({ length: 4_500 }, (_, at) => `name ${at},${at % 1000 === 1 ? 0 : 1}`);
    const text = `name,position\n${rows.join("\n")}\n`;
    // What makes the third transaction end as if the process did; what functions of the app raise is a mistake of a row.
    await shop.db.query(
      `create function service.stop_import() returns trigger language plpgsql as $$
       begin raise exception 'cut off' using errcode = '57P01'; end $$`,
    );
    await shop.db.query(
      `create trigger stop_import before insert on categories
       for each row when (new.name = 'name 4200') execute function service.stop_import()`,
    );
    try {
      const cut = await shop.import("categories", text, { onError: "skip" });
      expect(cut).toMatchObject({ kind: "failed" });
    } finally {
      await shop.db.query("drop function service.stop_import cascade");
    }
    const before = (await names("categories")).length;
    expect(before).toBe(3_996);
    const unasked = await shop.import("categories", text, { onError: "skip" });
    expect(unasked).toMatchObject({
      kind: "refused",
      message: expect.stringContaining("interrupted"),
    });
    const changed = await shop.import("categories", `${text}more,1\n`, {
      onError: "skip",
      resume: true,
    });
    expect(changed).toMatchObject({ kind: "refused", message: expect.stringContaining("changed") });
    const end = await shop.import("categories", text, { onError: "skip", resume: true });
    expect(resultOf(end)).toMatchObject({ from: 4_001, rows: 500, created: 499, refused: 1 });
    expect(
      (shop.errors() ?? "")
        .split("\r\n")
        .slice(1, -1)
        .map((line) => line.split(",")[0]),
    ).toEqual(["2", "1002", "2002", "3002", "4002"]);
    const done = await shop.import("categories", text, { onError: "skip", resume: true });
    expect(resultOf(done)).toMatchObject({ from: 4_501, rows: 0, isWrong: false });
    const anew = await shop.import("categories", text, { onError: "skip", resume: false });
    expect(resultOf(anew)).toMatchObject({ from: 1, rows: 4_500, created: 0, refused: 4_500 });
  });
});

describe("a file of another program", () => {
  const notation = {
    decimal: ",",
    dateFormat: "DD.MM.YYYY",
    timezone: "Europe/Oslo",
    nulls: ["-"],
    values: { status: { Åpen: "live", Stengt: "gone" } },
    map: { Navn: "name", Pris: "price", Varegruppe: "categoryId", Slutt: "releasedOn" },
    link: { categoryId: "name" },
    join: { soldOutAt: ["Dato", "Klokkeslett"] },
    set: { active: "true", stock: "3" },
  } satisfies Partial<ImportRequest>;
  const head = "sep=;\r\nNavn;Pris;Varegruppe;status;Slutt;Dato;Klokkeslett;\r\n";

  test.each([
    ["stop", { onError: "stop" }],
    ["skip", { onError: "skip" }],
    ["upsert", { upsert: "name" }],
  ] as const)("is stored with %s", async (_, options) => {
    await addTea();
    const rows = [
      "Grønn;10,5;Tea;Åpen;31.01.2026;01.02.2026;10:30;",
      ";;;;;;;",
      "Svart; +2 ;Tea;Stengt;-;-;;",
    ];
    const file = Buffer.from(`${head}${rows.join("\r\n")}\r\n`, "latin1");
    const given = { ...notation, ...options, encoding: "windows-1252" } as const;
    const end = await shop.import("products", file, given);
    expect(mistakes(end)).toEqual([]);
    expect(resultOf(end)).toMatchObject({ rows: 2, created: 2 });
    const stored = await shop.db.query(
      `select name, price, status, released_on::text as "releasedOn",
        service.iso_time(sold_out_at) as "soldOutAt", active, stock
      from products order by name`,
    );
    const both = { active: true, stock: "3" };
    const [releasedOn, soldOutAt] = ["2026-01-31", "2026-02-01T09:30:00.000Z"];
    expect(stored).toEqual([
      { name: "Grønn", price: "10.50", status: "live", releasedOn, soldOutAt, ...both },
      { name: "Svart", price: "2.00", status: "gone", releasedOn: null, soldOutAt: null, ...both },
    ]);
  });

  test("leaves refused rows in a file that is imported with the same options", async () => {
    await addTea();
    const options = { ...notation, onError: "skip", encoding: "windows-1252" } as const;
    const rows = "Grønn;10.5;Tea;Åpen;;31.01.2026;x;\nSvart;2;Tea;Åpen;;;;\n";
    const file = Buffer.from(`${head}${rows}`, "latin1");
    expect(mistakes(await shop.import("products", file, options))).toEqual([
      [1, 3, "Pris", "Must be a number: 1234,5"],
      [1, 3, "Dato+Klokkeslett", "Must be a time: DD.MM.YYYY"],
    ]);
    const refused = shop.errors() ?? "";
    expect(refused).toMatch(
      /^\ufeff_row,_line,_column,_message,Navn,.*\r\n1,3,Pris; Dato\+K.*,Grønn,/,
    );
    const corrected = refused.replace("10.5", '"10,5"').replace(",x", ",10:30");
    const end = await shop.import("products", corrected, options);
    expect(resultOf(end)).toMatchObject({ created: 1, refused: 0, hasErrorsFile: false });
    expect(await names()).toEqual(["Svart", "Grønn"]);
  });

  test("continues where it was interrupted, whatever its encoding", async () => {
    const rows = Array.from({ length: 2_500 }, (_, at) => `Tée ${at}`);
    const file = Buffer.from(`\ufeffname\n${rows.join("\n")}\n`, "utf16le");
    await shop.db.query(
      `create function service.stop_import() returns trigger language plpgsql as $$
       begin raise exception 'cut off' using errcode = '57P01'; end $$`,
    );
    await shop.db.query(
      `create trigger stop_import before insert on categories
       for each row when (new.name = 'Tée 1500') execute function service.stop_import()`,
    );
    const options = { onError: "skip", encoding: "utf-16" } as const;
    try {
      expect(await shop.import("categories", file, options)).toMatchObject({ kind: "failed" });
    } finally {
      await shop.db.query("drop function service.stop_import cascade");
    }
    const before = (await names("categories")).length;
    const end = await shop.import("categories", file, { ...options, resume: true });
    expect(resultOf(end)).toMatchObject({ from: before + 1, created: 2_500 - before, refused: 0 });
    expect(await names("categories")).toEqual(rows);
  });

  test("with a link to an earlier row that is the same for all records", async () => {
    const text = "id,name\n";
    const set = { parentId: "Root" };
    await shop.db.query("insert into categories (id, name) values ($1, 'Root')", [tea]);
    const link = { parentId: "name" };
    const end = await shop.import("categories", `${text},A\n,B\n`, { set, link, onError: "skip" });
    expect(mistakes(end)).toEqual([]);
    const parents = await shop.db.query(
      "select parent_id as id from categories where name <> 'Root'",
    );
    expect(parents).toEqual([{ id: tea }, { id: tea }]);
  });
});

describe("JSON", () => {
  const form = { format: "json" } as const;

  test("takes values for all records that the file lacks", async () => {
    const text = '{"name":"A"}\n{"name":"B","position":2}\n';
    const set = { position: "7" };
    const end = await shop.import("categories", text, { format: "ndjson", set, onError: "skip" });
    expect(mistakes(end)).toEqual([[2, 2, "position", "--set fills position: skip this column"]]);
    const stored = await shop.db.query("select name, position from categories");
    expect(stored).toEqual([{ name: "A", position: "7" }]);
  });

  test("lists and lines are read; a value that is not a record is a mistake of its row", async () => {
    const text = '[{"name":"A","position":2},\n 7, {"name":"B","posision":1}, {"position":"x"}]';
    const end = await shop.import("categories", text, { ...form, onError: "skip" });
    expect(mistakes(end)).toEqual([
      [2, null, null, "A record must be an object"],
      [3, null, "posision", 'This is not a field: did you mean "position"?'],
      [4, null, "name", "A value is required"],
      [4, null, "position", "Must be a whole number"],
    ]);
    expect((shop.errors() ?? "").split("\n")).toEqual([
      '{"_row":2,"_line":null,"_column":"","_message":"A record must be an object"}',
      '{"_row":3,"_line":null,"_column":"posision","_message":"This is not a field: did you mean \\"position\\"?","name":"B","posision":1}',
      '{"_row":4,"_line":null,"_column":"name; position","_message":"A value is required; Must be a whole number","position":"x"}',
      "",
    ]);
    const lines = await shop.import("categories", '{"name":"C"}\n\nno\n', {
      format: "ndjson",
      onError: "skip",
    });
    expect(mistakes(lines)).toEqual([[2, 3, null, "This is not JSON"]]);
    expect(await names("categories")).toEqual(["A", "C"]);
  });

  test("a record of more than 64 levels is a mistake of its row", async () => {
    const levels = (count: number) => "[".repeat(count) + "]".repeat(count);
    const text = ["A", "B", "C"].map((name, at) =>
      JSON.stringify({ name }).replace("}", at === 1 ? `,"x":${levels(10_000)}}` : "}"),
    );
    const deep = [2, null, null, "This record is nested more than 64 levels deep"];
    for (const [format, written, line] of [
      ["ndjson", text.join("\n"), 2],
      ["json", `[${text.join()}]`, null],
    ] as const) {
      const end = await shop.import("categories", written, { format, onError: "skip" });
      expect(mistakes(end)).toEqual([deep.with(1, line)]);
      expect(shop.errors()).toBe(
        `{"_row":2,"_line":${line},"_column":"","_message":"This record is nested more than 64 levels deep"}\n`,
      );
      expect(await names("categories")).toEqual(["A", "C"]);
      await shop.db.query("delete from categories");
    }
  });

  test("a file that is not a list is refused", async () => {
    expect(mistakes(await shop.import("categories", '{"name":"A"}', form))).toEqual([
      [0, null, null, "This is not a JSON list of records"],
    ]);
    expect(resultOf(await shop.import("categories", "[]", form))).toMatchObject({ rows: 0 });
  });
});

test("unknown names in the options are refused before the import begins", async () => {
  const cases: readonly (readonly [string, Partial<ImportRequest>, string])[] = [
    ["categorys", {}, 'There is no resource "categorys"'],
    ["categories", { map: { a: "nome" } }, '"nome" is not a field'],
    ["products", { link: { categoryId: "position" } }, "position is not a unique field"],
    ["products", { link: { name: "name" } }, "name is not a link"],
    ["categories", { set: { nome: "a" } }, '--set: "nome" is not a field of categories'],
    ["categories", { set: { position: "1,5" } }, "--set: position: Must be a number as in JSON"],
    ["categories", { values: { nome: {} } }, '--values: "nome" is not a field'],
    ["categories", { join: { nome: ["a", "b"] } }, '--join: "nome" is not a field'],
  ];
  for (const [resource, options, message] of cases) {
    const end = await shop.import(resource, "name\n", options);
    expect(end).toMatchObject({ kind: "refused", message: expect.stringContaining(message) });
  }
});

describe("the app's constraints and triggers are mistakes of rows", () => {
  const rows = "code,weight\nONE11,1\nTWO22,2\nNINE9,9\nFOUR4,4\nNINE8,9\n";
  const refuse = `create function refuse() returns trigger language plpgsql as
    'begin if new.weight = 9 then raise exception ''Not nine''; end if; return new; end'`;
  const check = 'The value violates the check constraint "own"';
  const taken = "Another record has this value";
  const same = (column: string | null, message: string) => [
    [3, 4, column, message],
    [5, 6, column, message],
  ];
  test.each([
    ["a check", "check (weight <> 9)", same("weight", check)],
    ["a unique constraint", "unique (weight)", [[5, 6, "weight", taken]]],
    ["a deferred one", "unique (weight) deferrable initially deferred", [[5, 6, "weight", taken]]],
    ["a trigger", null, same(null, "Not nine")],
  ])("%s", async (_, constraint, found) => {
    const { db } = shop;
    if (constraint === null) {
      await db.query(refuse);
      await db.query(
        "create trigger own before insert on coupons for each row execute function refuse()",
      );
    } else await db.query(`alter table coupons add constraint own ${constraint}`);
    try {
      const stopped = await shop.import("coupons", rows);
      expect(resultOf(stopped)).toMatchObject({ created: 0, isWrong: true });
      const isAtCommit = constraint?.includes("deferred") === true;
      if (isAtCommit) expect(stopped).toMatchObject({ kind: "failed" });
      else expect(mistakes(stopped)[0]).toEqual(found[0]);
      expect(await db.query("select from coupons")).toEqual([]);
      const skipped = await shop.import("coupons", rows, { onError: "skip" });
      expect(mistakes(skipped)).toEqual(found);
      expect(resultOf(skipped)).toMatchObject({ created: 5 - found.length });
    } finally {
      if (constraint === null) await db.query("drop function refuse cascade");
      else await db.query("alter table coupons drop constraint own");
    }
  });
});
