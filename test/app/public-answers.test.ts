import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { RuledCaller } from "../support/rights/request.js";

// What callers without a token are answered beyond lists and records: headers for caches, refusals, and hooks' values.

const descriptors = new Map([
  [
    "posts.yaml",
    `
changes: { history: 30 }
trash: 30
access:
  read: { who: public, where: { status: live } }
  stats: public
  create: [{ who: public, check: { status: live } }, admin]
  update: [{ who: signed-in, where: { status: live }, check: { status: live } }, admin]
  delete: [admin]
cache: 60
fields:
  title: { type: string, required: true, unique: true }
  status: { type: enum, values: [draft, live], default: draft, required: true }
  secret: { type: string, access: { read: [admin] } }
  scan: { type: file, access: { read: [admin] } }
  makerId: { type: belongsTo, resource: makers }
  writerId: { type: belongsTo, resource: users }
`,
  ],
  [
    "makers.yaml",
    "access: { write: [admin] }\nfields: { name: { type: string, required: true } }\n",
  ],
  [
    "scans.yaml",
    "access: { read: public }\ncache: 60\nfields: { scan: { type: file, private: true } }\n",
  ],
  [
    "letters.yaml",
    "access: { read: public }\ncache: 60\nfields: { scan: { type: file, private: true, access: { read: signed-in } } }\n",
  ],
  [
    "pages.yaml",
    "access: { read: public }\ncache: 60\nfields: { scanId: { type: belongsTo, resource: scans } }\n",
  ],
  [
    "orders.yaml",
    "owner: customerId\naccess: { read: [owner], create: public, write: [owner] }\nfields: { customerId: { type: belongsTo, resource: users } }\n",
  ],
]);

let app: WrittenApp;
let admin: RuledCaller;
let user: RuledCaller;

beforeAll(async () => {
  const hidden = (values: Readonly<Record<string, unknown>>) =>
    values.title === "Hidden by a hook" ? { ...values, status: "draft" } : values;
  app = await startWrittenApp({
    descriptors,
    settings:
      "auth: { check_breached_passwords: false, profiles: public }\nserver: { host: 127.0.0.1 }\nlimits: { public_create_per_client: 0 }\n",
    options: { hooks: { posts: { beforeCreate: hidden, beforeUpdate: hidden } } as never },
  });
  admin = await app.caller("admin");
  user = await app.caller(null);
});
afterAll(() => app?.close());

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${app.url}/api${path}`, init);
}

function post(path: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body) });
}

let made = 0;

async function livePost(values: object = {}): Promise<string> {
  made += 1;
  const post = { title: `Post ${made}`, status: "live", ...values };
  const { status, body } = await admin.client.post("/posts", post);
  expect(status).toBe(201);
  return body.id;
}

const shared = "public, max-age=0, s-maxage=60";

describe("caches", () => {
  const control = async (path: string, init: RequestInit = {}) => {
    const answer = await ask(path, init);
    return [answer.status, answer.headers.get("cache-control")];
  };

  test("store statistics and groups too, and answers to HEAD as those to GET", async () => {
    const id = await livePost();
    for (const path of ["/posts", `/posts/${id}`, "/posts/_stats?field=status"]) {
      expect(await control(path), path).toEqual([200, shared]);
      expect(await control(path, { method: "HEAD" }), path).toEqual([200, shared]);
    }
    expect(await control("/posts/_aggregate?by=status")).toEqual([200, shared]);
    const etag = (await ask(`/posts/${id}`)).headers.get("etag") ?? "";
    const known = { headers: { "if-none-match": etag } };
    expect(await control(`/posts/${id}`, known)).toEqual([304, shared]);
    const head = await ask("/posts", { method: "HEAD" });
    expect(head.headers.get("etag")).toBe((await ask("/posts")).headers.get("etag"));
  });

  test("store no answers to POST", async () => {
    expect((await post("/posts/_query", {})).headers.get("cache-control")).toBe("no-store");
    const created = await post("/posts", { title: "Created", status: "live" });
    expect([created.status, created.headers.get("cache-control")]).toEqual([201, "no-store"]);
  });

  test("store no answer with a private file or the position of a stream", async () => {
    const id = await livePost();
    for (const path of ["/posts?position=true", `/posts/${id}?position=true`]) {
      expect(await control(path), path).toEqual([200, "private, no-cache"]);
    }
    expect(await control("/scans")).toEqual([200, "private, no-cache"]);
    // Its answers may include records with such files.
    expect(await control("/pages")).toEqual([200, "private, no-cache"]);
    expect(await control("/letters")).toEqual([200, shared]);
  });

  test("learn that a record is hidden, although they know its tag", async () => {
    const id = await livePost();
    const etag = (await ask(`/posts/${id}`)).headers.get("etag") ?? "";
    await admin.client.patch(`/posts/${id}`, { status: "draft" });
    for (const known of [etag, "*"]) {
      const headers = { "if-none-match": known };
      expect(await control(`/posts/${id}`, { headers })).toEqual([404, "no-store"]);
    }
  });
});

describe("a caller without a token", () => {
  test("reaches no resource that is not public, and the refusal names it", async () => {
    const makerId = (await admin.client.post("/makers", { name: "Maker" })).body.id;
    await livePost({ makerId });
    const where = encodeURIComponent('{"maker":{"name":"Maker"}}');
    for (const query of ["include=maker", `where=${where}`]) {
      const answer = await ask(`/posts?${query}`);
      expect([answer.status, await answer.json()]).toEqual([
        403,
        { error: "You may not read makers here" },
      ]);
    }
    const linked = await post("/posts", { title: "Linked", status: "live", makerId });
    expect([linked.status, await linked.json()]).toMatchObject([
      422,
      { issues: [{ path: "makerId" }] },
    ]);
  });

  test("includes accounts if their profiles are public, and links to none", async () => {
    await livePost({ title: "Written", writerId: admin.id });
    const answer = await ask("/posts?filter[title]=Written&include=writer");
    const { data } = (await answer.json()) as { data: object[] };
    expect(data).toMatchObject([{ writer: { id: admin.id, name: expect.any(String) } }]);
    const writing = { title: "Linked", status: "live", writerId: admin.id };
    const linked = await post("/posts", writing);
    expect([linked.status, await linked.json()]).toMatchObject([
      422,
      { issues: [{ path: "writerId" }] },
    ]);
    expect((await post("/posts", { ...writing, writerId: null })).status).toBe(201);
  });

  test("gets the same answer about a field that it may not read as about one that does not exist", async () => {
    const about = async (name: string) =>
      Promise.all(
        [
          `/posts?filter[${name}]=x`,
          `/posts?sort=${name}`,
          `/posts?fields=${name}`,
          `/posts?where=${encodeURIComponent(`{"${name}":"x"}`)}`,
          `/posts/_aggregate?by=${name}`,
          `/posts/_stats?field=${name}`,
        ].map(async (path) => {
          const answer = await ask(path);
          return [answer.status, (await answer.text()).replaceAll(name, "…")];
        }),
      );
    const hidden = await about("secret");
    expect(hidden).toEqual(await about("nothing"));
    expect(hidden.map(([status]) => status)).toEqual(Array(6).fill(400));
  });

  test("needs a token for uploads, the trash, history and every write of a stored record", async () => {
    const id = await livePost();
    for (const [method, path] of [
      ["PUT", "/_service/uploads/posts/scan"],
      ["GET", "/posts?trash=only"],
      ["GET", `/posts/${id}?trash=only`],
      ["GET", `/posts/${id}/_history`],
      ["POST", `/posts/${id}/_revert`],
      ["POST", `/posts/${id}/_restore`],
      ["PATCH", `/posts/${id}`],
      ["PUT", `/posts/${id}`],
      ["DELETE", `/posts/${id}`],
    ] as const) {
      expect([method, path, (await ask(path, { method })).status]).toEqual([method, path, 401]);
    }
  });
});

describe("a check", () => {
  const stored = async (title: string) =>
    (await admin.client.list(`/posts?filter[title]=${encodeURIComponent(title)}`)).body.meta.total;

  test("judges what a hook has made of the values", async () => {
    const title = "Hidden by a hook";
    expect((await post("/posts", { title, status: "live" })).status).toBe(403);
    expect(await stored(title)).toBe(0);
    const id = await livePost();
    expect((await user.client.patch(`/posts/${id}`, { title })).status).toBe(403);
    expect(await stored(title)).toBe(0);
  });

  test("comes after what the database refuses", async () => {
    await livePost({ title: "Taken" });
    const taken = { title: "Taken", status: "draft" };
    const id = await livePost();
    expect((await post("/posts", taken)).status).toBe(422);
    expect((await user.client.patch(`/posts/${id}`, taken)).status).toBe(422);
    expect((await post("/posts", { ...taken, title: "Free" })).status).toBe(403);
  });
});

test("a public create lets signed-in callers name any owner, or none", async () => {
  const ownerOf = async (values: object) =>
    (await user.client.post("/orders", values)).body.customerId;
  expect(await ownerOf({})).toBe(user.id);
  expect(await ownerOf({ customerId: null })).toBe(null);
  expect(await ownerOf({ customerId: admin.id })).toBe(admin.id);
});
