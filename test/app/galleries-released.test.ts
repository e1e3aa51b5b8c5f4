import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../runtime/db/index.js";
import { addAccount, newSession } from "../support/accounts/accounts.js";
import { type ChangedApp, newChangedApp, problemText } from "../support/apps/changed-app.js";
import { linkPackages } from "../support/apps/link-packages.js";
import { type Client, client, hangUp } from "../support/http/client.js";
import { withVariables } from "../support/processes/environment.js";

/** Records of the first release, some of which it deletes; the second one renames and converts their fields. */
const before = new Map([
  [
    "goods.yaml",
    `trash: true
fields:
  name: { type: string }
  photo: { type: image }
  shots: { type: image, list: true }
  papers: { type: file, list: true, maxItems: 5 }
`,
  ],
]);
const after = new Map([
  [
    "products.yaml",
    `was: goods
trash: true
fields:
  name: { type: string }
  photos: { type: image, list: true, was: photo }
  shot: { type: image, was: shots }
  documents: { type: file, list: true, maxItems: 5, was: papers }
`,
  ],
]);

interface Product {
  readonly id: string;
  readonly photos: readonly string[];
  readonly shot: string | null;
  readonly documents: readonly string[];
}

let released: ChangedApp;
let ada: Client;
let url: string;
let closeApp: () => Promise<void>;
const ids = new Map<string, string>();

async function release(descriptors: ReadonlyMap<string, string>, consent: readonly string[] = []) {
  const generated = await released.generate(descriptors, consent);
  expect(problemText(generated)).toBe("");
  await released.migrate();
}

async function stored(field: string, name: string): Promise<string> {
  const key = `goods/${field}/2026/11/0190a1b2-0000-7000-8000-000000000000-${name}`;
  await released.client.query(
    `insert into service.uploads (key, resource, field, details, unused_since)
     values ($1, 'goods', $2, json_build_object('key', $1::text, 'name', $3::text, 'url', '/api/_service/files/' || $1, 'renditions', json_build_object()), null)`,
    [key, field, name],
  );
  return key;
}

let keys: Readonly<Record<"a" | "b" | "c" | "d" | "e", string>>;

beforeAll(async () => {
  released = await newChangedApp();
  const { root, target, client: sql } = released;
  linkPackages(root);
  writeFileSync(join(root, "package.json"), '{ "name": "released", "type": "module" }');
  writeFileSync(
    join(root, "service.yaml"),
    "auth: { check_breached_passwords: false }\nserver: { host: 127.0.0.1 }\n",
  );
  await release(before);
  keys = {
    a: await stored("photo", "a"),
    b: await stored("shots", "b"),
    c: await stored("shots", "c"),
    d: await stored("papers", "d"),
    e: await stored("papers", "e"),
  };
  const { a, b, c, d, e } = keys;
  for (const name of ["living", "deleted", "empty"]) {
    const values = name === "empty" ? [null, [], []] : [a, [c, b], [e, d]];
    const { rows } = await sql.query(
      "insert into goods (name, photo, shots, papers) values ($1, $2, $3, $4) returning id",
      [name, ...values],
    );
    ids.set(name, rows[0].id);
  }
  await sql.query("delete from goods where name <> 'living'");
  await release(after, ["products.shot"]);

  const variables = {
    ...{ DATABASE_URL: target.url, PORT: "0", SERVICE_LOG_LEVEL: "error" },
    SERVICE_SECRET: "a secret of the tests, long enough",
  };
  const app = await withVariables(variables, async () => {
    const { createApp } = await import(pathToFileURL(join(root, "generated/app.ts")).href);
    const made = await createApp();
    url = await made.listen();
    return made;
  });
  const db = openDatabase({ url: target.url, poolSize: 1, prepare: true });
  const account = { email: "ada@example.com", password: "a password of the tests" };
  const id = await addAccount(db, { ...account, role: null, name: "Ada" });
  ada = client(url, await newSession(db, id));
  closeApp = async () => {
    hangUp(url);
    await app.close();
    await db.close();
  };
});
afterAll(async () => {
  await closeApp?.();
  await released?.close();
});

const idOf = (name: string) => ids.get(name) ?? "";
const filesOf = (list: readonly string[]) => list.map((key) => ({ key }));

test("lists keep their files as their fields and their resource are renamed and converted", async () => {
  const { a, c, d, e } = keys;
  const { body } = await ada.get<Product>(`/products/${idOf("living")}`);
  expect(body).toMatchObject({
    ...{ photos: [a], photosFiles: filesOf([a]) },
    ...{ shot: c, shotFile: { key: c } },
    ...{ documents: [e, d], documentsFiles: filesOf([e, d]) },
  });
  const turned = await ada.patch<Product>(`/products/${body.id}`, { documents: [d, e] });
  expect(turned.status, turned.text).toBe(200);
  expect(turned.body.documents).toEqual([d, e]);
});

test("lists of records in the trash keep their files too, and are restored with them", async () => {
  const { a, d, e } = keys;
  const path = `/products/${idOf("deleted")}`;
  const trashed = await ada.get<Product>(`${path}?trash=only`);
  expect(trashed.body).toMatchObject({
    ...{ photos: [a], photosFiles: filesOf([a]) },
    ...{ documents: [e, d], documentsFiles: filesOf([e, d]) },
  });
  const restored = await ada.post<Product>(`${path}/_restore`, undefined);
  expect(restored.status, restored.text).toBe(200);
  expect(restored.body).toMatchObject({ photos: [a], documents: [e, d] });
  const empty = await ada.post<Product>(`/products/${idOf("empty")}/_restore`, undefined);
  expect(empty.body).toMatchObject({ photos: [], photosFiles: [], shot: null, documents: [] });
});
