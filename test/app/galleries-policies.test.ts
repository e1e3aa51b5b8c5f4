import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { FileDetails } from "../../runtime/uploads/index.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { RuledCaller } from "../support/rights/request.js";
import { uploaded } from "../support/storage/stored.js";

interface Letter {
  readonly id: string;
  readonly title: string;
  readonly scansFiles: readonly FileDetails[];
}

let app: WrittenApp;
let ada: RuledCaller;
let bob: RuledCaller;
/** The titles of the letters that the policy of `get` was called for. */
const judged: string[] = [];

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      [
        "letters.yaml",
        "fields:\n  title: { type: string }\n  scans: { type: image, list: true, private: true, maxItems: 200 }\n",
      ],
    ]),
    options: {
      policies: {
        letters: {
          get(_: unknown, { title }: Letter) {
            judged.push(title);
            return !title.startsWith("hidden");
          },
        },
      },
    } as never,
  });
  ada = await app.caller(null);
  bob = await app.caller(null);
});
beforeEach(() => {
  judged.length = 0;
});
afterAll(() => app?.close());

const scan = (name: string) => uploaded(ada.client, "letters/scans", `${name}.png`);
const keysOf = (files: readonly FileDetails[]) => files.map(({ key }) => key);

async function letter(title: string, files: readonly FileDetails[]): Promise<Letter> {
  const { status, text, body } = await ada.client.post<Letter>("/letters", {
    title,
    scans: keysOf(files),
  });
  expect(status, text).toBe(201);
  return body;
}

test("a repeated response signs only the files that a record still shows", async () => {
  const files = [await scan("a"), await scan("b"), await scan("c")];
  const [, b] = files;
  const send = () =>
    ada.client.send<Letter>("POST", "/letters", {
      text: JSON.stringify({ title: "first", scans: keysOf(files) }),
      headers: { "idempotency-key": "galleries-policies-1" },
    });
  const { body: first } = await send();
  expect(first.scansFiles.map(({ url }) => /signature=/.test(url))).toEqual([true, true, true]);
  await letter("hidden", [b as FileDetails]);
  await ada.client.patch(`/letters/${first.id}`, { scans: { remove: [b?.key] } });
  const { body: again } = await send();
  expect(again).toEqual({
    ...first,
    scansFiles: first.scansFiles.map((file) =>
      file.key === b?.key ? { ...file, url: file.url.split("?")[0] } : file,
    ),
  });
});

test("a repeated batch looks up the files of its records together", async () => {
  const files = [await scan("a"), await scan("b"), await scan("c"), await scan("d")];
  const [a = "", b = "", c = "", d = ""] = keysOf(files);
  const create = (...scans: readonly string[]) => ({
    create: "letters",
    values: { title: "batch", scans },
  });
  const send = () =>
    ada.client.send<{ data: readonly Letter[] }>("POST", "/_service/batch", {
      text: JSON.stringify({ operations: [create(a, b), create(b, c), create(), create(d)] }),
      headers: { "idempotency-key": "galleries-policies-2" },
    });
  const { data: first } = (await send()).body;
  await app.db.query("update letters set scans = '{}' where id = $1", [first[3]?.id]);
  judged.length = 0;
  const statements = vi.spyOn(pg.Client.prototype, "query");
  try {
    const { data: again } = (await send()).body;
    const isSigned = ({ scansFiles }: Letter) =>
      scansFiles.map(({ url }) => /signature=/.test(url));
    expect(again.map(isSigned)).toEqual([[true, true], [true, true], [], [false]]);
    const texts = statements.mock.calls.map(([sent]: unknown[]) =>
      typeof sent === "string" ? sent : String(Reflect.get(Object(sent), "text")),
    );
    expect(texts.filter((text) => text.includes("_held as materialized"))).toHaveLength(1);
  } finally {
    statements.mockRestore();
  }
  // The second letter is judged only for the file that the first one has not shown.
  expect(judged).toEqual(["batch", "batch"]);
});

test("a policy is called once for a record with several files", async () => {
  const files = [await scan("a"), await scan("b"), await scan("c")];
  await letter("three", files);
  await letter("hidden three", files);
  judged.length = 0;
  const scans = keysOf(files);
  const copied = await bob.client.post<Letter>("/letters", { title: "copied", scans });
  expect(copied.status, copied.text).toBe(201);
  expect(copied.body.scansFiles).toMatchObject(files.map(({ key }) => ({ key })));
  expect(judged).toEqual(["three"]);
});

test("only files that a record shows may be used", async () => {
  const [open, closed] = [await scan("open"), await scan("closed")];
  await letter("hidden both", [closed, open]);
  await letter("open", [open]);
  const scans = [open.key, closed.key];
  const refused = await bob.client.post<object>("/letters", { title: "copied", scans });
  expect(refused.body).toMatchObject({ issues: [{ path: "scans.1" }] });
});

test("the policy is called for a limited number of records", async () => {
  const { key } = await scan("popular");
  await app.db.query(
    `insert into letters (id, title, scans)
     select service.uuid_v7(), 'hidden ' || n, array[$1] from generate_series(1, 250) as n`,
    [key],
  );
  const refused = await bob.client.post<object>("/letters", { title: "copied", scans: [key] });
  expect(refused.body).toMatchObject({ issues: [{ path: "scans.0" }] });
  expect(judged).toHaveLength(100);
});
