import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { created } from "../support/apps/shop.js";
import { type Client, client } from "../support/http/client.js";
import { onDisk, putAvatar } from "../support/storage/stored.js";

/** users ← diaries ← entries, shares; locks refuse. Accounts are deleted by an operator. */
let app: RunningApp;
let operator: Client;
let owner: Client;
let ownerId: string;

beforeAll(async () => {
  app = await startApp("cases/account-cascades");
  operator = client(app.url, app.token);
});
beforeEach(async () => {
  owner = client(app.url, await app.signIn(null));
  ownerId = (await owner.get<{ user: { id: string } }>("/auth/me")).body.user.id;
});
afterAll(() => app.close());

const deleteAccount = () => operator.delete(`/_service/accounts/${ownerId}`);
const deleteOwn = () => {
  const text = JSON.stringify({ password: "a password of the tests" });
  return owner.send("DELETE", "/auth/me", { text });
};

test.each([
  ["an operator", () => deleteAccount()],
  ["their owner", () => deleteOwn()],
])(
  "records with onDelete: cascade are deleted with an account that %s deletes",
  async (_, remove) => {
    const diary = await created(owner, "diaries", { ownerId });
    const entry = await created(owner, "entries", { diaryId: diary.id });
    await created(owner, "shares", { diaryId: diary.id, sharedById: ownerId });
    expect((await remove()).status).toBe(204);
    expect((await operator.get(`/diaries/${diary.id}`)).status).toBe(404);
    expect((await operator.get(`/entries/${entry.id}`)).status).toBe(404);
    expect((await owner.get("/auth/me")).status).toBe(401);
    expect(await app.db.query("select * from service.wrong_counts()")).toEqual([]);
  },
);

test.each([
  ["an operator", () => deleteAccount()],
  ["their owner", () => deleteOwn()],
])("records that refuse %s are counted, and nothing is deleted", async (_, remove) => {
  const other = await created(operator, "diaries", {
    ownerId: (await operator.get<{ user: { id: string } }>("/auth/me")).body.user.id,
  });
  const diary = await created(owner, "diaries", { ownerId });
  const entry = await created(owner, "entries", { diaryId: diary.id });
  await created(owner, "locks", { entryId: entry.id });
  await created(owner, "shares", { diaryId: other.id, sharedById: ownerId });
  await created(owner, "shares", { diaryId: other.id, sharedById: ownerId });
  const { status, body } = await remove();
  expect({ status, body }).toEqual({
    status: 409,
    body: {
      error:
        "1 lock and 2 shares still belong to this account or to records that are deleted with it",
    },
  });
  expect((await owner.get(`/diaries/${diary.id}`)).status).toBe(200);
  const events = await operator.get<{ data: readonly object[] }>(
    `/_service/account-events?filter[accountId]=${ownerId}&filter[kind]=account-deleted`,
  );
  expect(events.body.data).toEqual([]);
});

test("rows of an app's table that refer to the account, or to a record deleted with it, are counted", async () => {
  const diary = await created(owner, "diaries", { ownerId });
  for (const [target, id] of [
    ["service.users", ownerId],
    ["diaries", diary.id],
  ]) {
    await app.db.query(`create table mine (it uuid references ${target})`);
    try {
      await app.db.query("insert into mine values ($1), ($1)", [id]);
      const { status, body } = await deleteAccount();
      expect({ status, body }).toEqual({
        status: 409,
        body: {
          error:
            "2 rows of mine still belong to this account or to records that are deleted with it",
        },
      });
    } finally {
      await app.db.query("drop table mine");
    }
  }
});

test("a trigger on a record deleted with the account refuses the deletion: 422 with its text", async () => {
  await created(owner, "diaries", { ownerId });
  await app.db.query(`create function keep() returns trigger language plpgsql as
    'begin raise exception ''Diaries are kept''; end'`);
  await app.db.query(
    "create trigger keep before delete on diaries for each row execute function keep()",
  );
  try {
    const { status, body } = await deleteAccount();
    expect({ status, body }).toEqual({ status: 422, body: { error: "Diaries are kept" } });
  } finally {
    await app.db.query("drop function keep cascade");
  }
});

test("every picture of the account is removed from the storage", async () => {
  for (const name of ["one.png", "two.png"]) {
    expect((await putAvatar(owner, undefined, name)).status).toBe(201);
  }
  const stored = () =>
    app.db.query<{ key: string }>(
      "select key from service.stored_objects where key like 'users/%'",
    );
  const keys = (await stored()).map(({ key }) => key);
  expect(keys).toHaveLength(4);
  expect(onDisk(app, keys)).toEqual(keys);
  expect((await deleteAccount()).status).toBe(204);
  const [first] = keys;
  expect((await operator.get(`/_service/files/${first}`)).status).toBe(404);
  await expect.poll(() => onDisk(app, keys)).toEqual([]);
  await expect.poll(stored).toEqual([]);
});
