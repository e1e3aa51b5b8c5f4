import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { created, expectRefusal, paths } from "../support/apps/shop.js";
import { type Client, client, type Row } from "../support/http/client.js";
import { onDisk, pruneIn, uploaded } from "../support/storage/stored.js";

/** users ← diaries ← entries, shares; locks refuse, bookmarks are cleared. Accounts are deleted in SQL. */
let app: RunningApp;
let admin: Client;
beforeAll(async () => {
  app = await startApp("cases/account-cascades");
  admin = client(app.url, app.token);
});
afterAll(() => app.close());

let owner: Client;
let ownerId: string;
let diary: Row;
let entry: Row;
beforeEach(async () => {
  owner = client(app.url, await app.signIn(null));
  ownerId = await idOf(owner);
  diary = await created(owner, "diaries", { ownerId, mood: "rainy" });
  entry = await created(owner, "entries", { diaryId: diary.id, text: "Rain all day" });
});

async function idOf(caller: Client): Promise<string> {
  return (await caller.get<{ user: { id: string } }>("/auth/me")).body.user.id;
}

const deleteAccount = () => app.db.query("delete from service.users where id = $1", [ownerId]);
const statusOf = async (path: string) => (await admin.get(path)).status;
const totalOf = async (resource: string) => (await admin.list(`/${resource}`)).body.meta.total;
const countsOf = async () =>
  (await admin.get<{ total: number; values: object }>("/diaries/_stats?field=mood")).body;

/** Counts that are not those of the rows. */
const wrongCounts = () => app.db.query("select * from service.wrong_counts()");

test("deleting an account deletes its records, and theirs, and clears optional links", async () => {
  const bookmark = await created(admin, "bookmarks", { diaryId: diary.id });
  const other = await created(admin, "diaries", { ownerId: await idOf(admin) });
  const kept = await created(admin, "entries", { diaryId: other.id });
  await deleteAccount();
  expectRefusal(await owner.get("/auth/me"), 401);
  expect(await statusOf(`/diaries/${diary.id}`)).toBe(404);
  expect(await statusOf(`/entries/${entry.id}`)).toBe(404);
  expect((await admin.get(`/bookmarks/${bookmark.id}`)).body.diaryId).toBeNull();
  expect((await admin.get(`/diaries/${other.id}`)).body).toEqual(other);
  expect((await admin.get(`/entries/${kept.id}`)).body).toEqual(kept);
  expect(paths(await admin.post("/diaries", { ownerId }))).toEqual(["ownerId"]);
});

test("totals and statistics follow the deletion of an account", async () => {
  await created(owner, "diaries", { ownerId, mood: "sunny" });
  const [before, entries] = [await countsOf(), await totalOf("entries")];
  const { sunny, rainy } = before.values as { sunny: number; rainy: number };
  await deleteAccount();
  const after = await countsOf();
  expect(after.total).toBe(before.total - 2);
  expect(after.values).toEqual({ sunny: sunny - 1, rainy: rainy - 1 });
  expect(await totalOf("diaries")).toBe(after.total);
  expect(await totalOf("entries")).toBe(entries - 1);
  expect(await wrongCounts()).toEqual([]);
});

test("a record with onDelete: refuse keeps the account and all its records", async () => {
  const lock = await created(admin, "locks", { entryId: entry.id });
  await expect(deleteAccount()).rejects.toMatchObject({
    code: "23503",
    constraint: "locks__entry_id__link",
  });
  expect((await owner.get("/auth/me")).status).toBe(200);
  expect((await owner.get(`/diaries/${diary.id}`)).body).toEqual(diary);
  expect((await owner.get(`/entries/${entry.id}`)).body).toEqual(entry);
  expect(await wrongCounts()).toEqual([]);
  expect((await admin.delete(`/locks/${lock.id}`)).status).toBe(204);
  await deleteAccount();
  expect(await statusOf(`/entries/${entry.id}`)).toBe(404);
});

test("a record that the deletion would remove, but that another link refuses, must be deleted first", async () => {
  const share = { diaryId: diary.id, sharedById: ownerId };
  const { id } = await created(owner, "shares", share);
  await expect(deleteAccount()).rejects.toMatchObject({
    code: "23503",
    constraint: "shares__shared_by_id__link",
  });
  expect(await statusOf(`/shares/${id}`)).toBe(200);
  expect((await owner.delete(`/shares/${id}`)).status).toBe(204);
  await deleteAccount();
  expect(await statusOf(`/diaries/${diary.id}`)).toBe(404);
});

test("files of an account's records stay until they are pruned", async () => {
  const { key } = await uploaded(owner, "diaries/cover");
  await created(owner, "diaries", { ownerId, cover: key });
  expect(await pruneIn(100, app)).toMatchObject({ uploads: 0 });
  await deleteAccount();
  expect(await pruneIn(200, app)).toMatchObject({ uploads: 0 });
  expect(onDisk(app, [key])).toEqual([key]);
  expect(await pruneIn(224, app)).toMatchObject({ uploads: 1, objects: 1 });
  expect(onDisk(app, [key])).toEqual([]);
});

test("records created meanwhile are deleted too or refused, and none is left over", async () => {
  for (let round = 0; round < 5; round += 1) {
    ownerId = (await client(app.url, await app.signIn(null)).get<{ id: string }>("/auth/me")).body
      .id;
    const creates = Array.from({ length: 8 }, () => admin.post("/diaries", { ownerId }));
    const deleted = deleteAccount();
    for (const { status } of await Promise.all(creates)) expect([201, 422]).toContain(status);
    await deleted;
    expect(await app.db.query("select from diaries where owner_id = $1", [ownerId])).toEqual([]);
  }
  expect(await wrongCounts()).toEqual([]);
});

test("an account with thousands of records is deleted in one statement", async () => {
  await app.db.query(
    `with diary as (
       insert into diaries (id, owner_id)
       select gen_random_uuid(), $1 from generate_series(1, 2000)
       returning id
     )
     insert into entries (id, diary_id)
     select gen_random_uuid(), id from diary, generate_series(1, 5)`,
    [ownerId],
  );
  await deleteAccount();
  const left = "select from diaries where owner_id = $1";
  expect(await app.db.query(left, [ownerId])).toEqual([]);
  expect(await wrongCounts()).toEqual([]);
});
