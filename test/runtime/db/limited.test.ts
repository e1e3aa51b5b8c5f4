import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, limitedDatabase, openDatabase } from "../../../runtime/db/index.js";
import { createDatabase, type TestDatabase } from "../../support/database/database.js";

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createDatabase();
  db = openDatabase({ url: database.url, poolSize: 4, prepare: true });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test("limited work holds a fixed number of connections, and leaves the others free", async () => {
  const limited = limitedDatabase(db, 2);
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let begun = 0;
  const hold = async () => {
    begun += 1;
    await opened;
  };
  const held = [
    limited.transaction(hold),
    limited.ofResource("products").transaction(hold),
    limited.transaction(hold),
  ];
  await expect.poll(() => begun).toBe(2);
  // The third one waits, and so does a statement, while others do not.
  const waiting = limited.query("select 1 as one");
  for (let turn = 0; turn < 3; turn += 1) expect(await db.query("select 1")).toHaveLength(1);
  expect(begun).toBe(2);
  open();
  await Promise.all(held);
  expect(await waiting).toEqual([{ one: 1 }]);
  expect(begun).toBe(3);
});
