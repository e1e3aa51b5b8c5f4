import { createHmac, hkdfSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FileDetails } from "../../runtime/uploads/index.js";
import { connectAgent } from "../support/agents/agent.js";
import { bare, detailsIn, fetchFile, startPrivateApp } from "../support/apps/private-app.js";
import type { WrittenApp } from "../support/apps/written-app.js";
import type { Client, Row } from "../support/http/client.js";
import { pdf, uploaded } from "../support/storage/stored.js";

const signed = /^\/api\/_service\/files\/[\w./-]+\?until=\d{10}&signature=[\w-]{43}$/;

interface Person {
  readonly client: Client;
  readonly id: string;
  readonly token: string;
}

/** The records that hooks were given. */
const given: object[] = [];
let app: WrittenApp;
let ada: Person;
let bob: Person;
let clerk: Person;
let scan: FileDetails;
let paper: FileDetails;
let note: FileDetails;
let cover: FileDetails;
let record: Row;

beforeAll(async () => {
  app = await startPrivateApp({
    policies: {
      letters: {
        get: (_: unknown, { title }: { title: string }) => title !== "hidden",
      },
    },
    hooks: {
      documents: {
        afterCreate: (created: object) => {
          given.push(created);
        },
        beforeUpdate: (_: object, former: object) => {
          given.push(former);
        },
      },
    },
  } as never);
  const [one, two, three] = await Promise.all(
    [null, null, "clerk"].map(async (role): Promise<Person> => {
      const { client, id } = await app.caller(role);
      const token = await tokenOf(client);
      return { client, id, token };
    }),
  );
  if (one === undefined || two === undefined || three === undefined) throw new Error("no people");
  [ada, bob, clerk] = [one, two, three];
  scan = await uploaded(ada.client, "documents/scan", "scan.png");
  paper = await uploaded(ada.client, "documents/paper", "paper.pdf");
  note = await uploaded(ada.client, "documents/note", "note.pdf");
  cover = await uploaded(ada.client, "documents/cover", "cover.png");
  const created = await ada.client.post<Row>("/documents", {
    title: "first",
    scan: scan.key,
    paper: paper.key,
    note: note.key,
    cover: cover.key,
  });
  expect(created.status, created.text).toBe(201);
  record = created.body;
});
afterAll(() => app.close());

async function tokenOf(client: Client): Promise<string> {
  const { status, text, body } = await client.post<{ token: string }>("/auth/service-tokens", {
    name: "files",
  });
  expect(status, text).toBe(201);
  return body.token;
}

const status = async (
  ...asked: Parameters<typeof fetchFile> extends [unknown, ...infer R] ? R : never
) => (await fetchFile(app, ...asked)).status;

describe("an address", () => {
  test("is signed in an upload's response, and so are its renditions", async () => {
    expect(scan.url).toMatch(signed);
    expect(scan.renditions.thumb?.url).toMatch(signed);
    expect(paper.url).toMatch(signed);
    expect(cover.url).toBe(`/api/_service/files/${cover.key}`);
  });

  test.each(["GET", "HEAD"])("gives the file for as long as it is valid, by %s", async (method) => {
    for (const url of [scan.url, scan.renditions.thumb?.url ?? "", paper.url]) {
      const { status, headers } = await fetchFile(app, url, { method });
      expect(status).toBe(200);
      const [, left = ""] = /^private, max-age=(\d+)$/.exec(String(headers["cache-control"])) ?? [];
      expect(Number(left)).toBeGreaterThan(500);
      expect(Number(left)).toBeLessThanOrEqual(660);
      expect(headers["referrer-policy"]).toBe("no-referrer");
      expect(headers.etag).toMatch(/^"[\da-f]{32}"$/);
    }
  });

  test("gives a range of it, and 304", async () => {
    const { status, bytes, headers } = await fetchFile(app, paper.url, {
      headers: { range: "bytes=0-3" },
    });
    expect([status, bytes.toString()]).toEqual([206, "%PDF"]);
    const known = await fetchFile(app, paper.url, {
      headers: { "if-none-match": String(headers.etag) },
    });
    expect(known.status).toBe(304);
    expect(known.headers["cache-control"]).toMatch(/^private, max-age=/);
    expect(
      (await fetchFile(app, bare(paper.url), { headers: { "if-none-match": "*" } })).status,
    ).toBe(404);
  });

  test("stays the same for a tenth of its lifetime", async () => {
    const untils = new Set<string>();
    for (let times = 0; times < 3; times += 1) {
      const { body } = await ada.client.get(`/documents/${record.id}`);
      untils.add(/until=(\d+)/.exec(detailsIn(body, "paper").url)?.[1] ?? "");
    }
    for (const until of untils) expect(Number(until) % 60).toBe(0);
    expect(untils.size).toBeLessThanOrEqual(2);
  });
});

describe("every response with the record signs them again", () => {
  const expectSigned = async (one: object) => {
    for (const url of [
      detailsIn(one, "scan").url,
      detailsIn(one, "scan").renditions.thumb?.url ?? "",
      detailsIn(one, "paper").url,
    ]) {
      expect(url).toMatch(signed);
      expect(await status(url)).toBe(200);
    }
    expect(detailsIn(one, "cover").url).toBe(cover.url);
    expect(Object.keys(one).filter((key) => !/^\w+$/.test(key))).toEqual([]);
  };
  const first = (page: { readonly data: readonly object[] }) => page.data[0] ?? {};

  test("a new record, and a change", async () => {
    await expectSigned(record);
    expect(Object.keys(record)).toEqual([
      ..."id title scan scanFile paper paperFile cover coverFile parentId accountId".split(" "),
      "createdAt",
      "updatedAt",
    ]);
    const changed = await ada.client.patch(`/documents/${record.id}`, { title: "second" });
    await expectSigned(changed.body);
    const replaced = await ada.client.put(`/documents/${record.id}`, {
      title: "second",
      scan: scan.key,
      paper: paper.key,
      note: note.key,
      cover: cover.key,
      accountId: ada.id,
    });
    await expectSigned(replaced.body);
  });

  test("a record, a part of it, and with what it includes", async () => {
    await expectSigned((await ada.client.get(`/documents/${record.id}`)).body);
    const part = await ada.client.get(
      `/documents/${record.id}?fields=scan,scanFile,paperFile,coverFile`,
    );
    await expectSigned(part.body);
    const child = await ada.client.post("/documents", { title: "part", parentId: record.id });
    const label = await ada.client.post("/labels", {
      url: `/api/_service/files/${paper.key}`,
      documentId: child.body.id,
    });
    const nested = await ada.client.get<{ document: { parent: object } }>(
      `/labels/${label.body.id}?include=document.parent`,
    );
    expect(nested.status, nested.text).toBe(200);
    await expectSigned(nested.body.document.parent);
    // A text that looks like an address is not one.
    expect(nested.body).toMatchObject({ url: `/api/_service/files/${paper.key}` });
    const inverse = await ada.client.get<{ parts: { data: object[] } }>(
      `/documents/${record.id}?include=parts`,
    );
    expect(inverse.body.parts.data[0]).toMatchObject({ scanFile: null, paperFile: null });
  });

  test("lists, queries, and groups", async () => {
    const query = "filter[title]=second";
    await expectSigned(first((await ada.client.list(`/documents?${query}`)).body));
    await expectSigned(first((await ada.client.list(`/documents?${query}&etags=true`)).body));
    await expectSigned(
      first((await ada.client.list(`/documents?${query}&cursor=&sort=createdAt`)).body),
    );
    const asked = { where: { title: "second" }, include: { parent: true } };
    await expectSigned(
      first((await ada.client.post<{ data: object[] }>("/documents/_query", asked)).body),
    );
    const groups = await ada.client.post<{ data: { by: { parent: object | null } }[] }>(
      "/documents/_aggregate",
      { by: ["parentId"], include: { parent: true } },
    );
    expect(groups.status, groups.text).toBe(200);
    const parents = groups.body.data.flatMap(({ by: { parent } }) => parent ?? []);
    expect(parents).toHaveLength(1);
    await expectSigned(parents[0] ?? {});
  });

  test("batches, and many new records at once", async () => {
    const { body } = await ada.client.post<{ data: object[] }>("/_service/batch", {
      operations: [
        { update: "documents", id: record.id, values: { title: "second" } },
        ...["a", "b"].map(() => ({
          create: "documents",
          values: { scan: scan.key, paper: paper.key, cover: cover.key },
        })),
      ],
    });
    expect(body.data).toHaveLength(3);
    for (const one of body.data) await expectSigned(one);
    const posts = Array.from({ length: 8 }, () =>
      ada.client.post("/documents", { scan: scan.key, paper: paper.key, cover: cover.key }),
    );
    for (const { status, text, body } of await Promise.all(posts)) {
      expect(status, text).toBe(201);
      await expectSigned(body);
    }
  });

  test("repeated responses", async () => {
    const sent = {
      text: JSON.stringify({ title: "twice", scan: scan.key, paper: paper.key, cover: cover.key }),
      headers: { "idempotency-key": "once" },
    };
    const [one, two] = [
      await ada.client.send<Row>("POST", "/documents", sent),
      await ada.client.send<Row>("POST", "/documents", sent),
    ];
    expect(two.headers["idempotency-replayed"]).toBe("true");
    expect(two.body.id).toBe(one.body.id);
    await expectSigned(two.body);
    const kept = await app.db.query<{ body: string }>(
      "select body from service.kept_answers where body like '%twice%'",
    );
    expect(kept).toHaveLength(1);
    expect(kept[0]?.body).not.toContain("signature=");
  });

  test("except repeated responses to a caller who may no longer read the record", async () => {
    const file = await uploaded(ada.client, "letters/paper", "twice.pdf");
    const again = async (path: string, body: object) => {
      const sent = { text: JSON.stringify(body), headers: { "idempotency-key": path + file.key } };
      const answer = await ada.client.send<Row>("POST", path, sent);
      expect(answer.status, answer.text).toBeLessThan(300);
      return answer;
    };
    const open = { title: "open", paper: file.key };
    const letter = await again("/letters", open);
    expect(detailsIn(letter.body, "paper").url).toMatch(signed);
    const unchanged = await again("/letters", open);
    expect(detailsIn(unchanged.body, "paper").url).toMatch(signed);
    const other = await uploaded(ada.client, "letters/paper", "other.pdf");
    const batch = {
      operations: [
        { update: "letters", id: letter.body.id, values: { title: "hidden" } },
        { create: "letters", values: { title: "open", paper: other.key } },
        { create: "letters", values: { title: "none" } },
      ],
    };
    await again("/_service/batch", batch);
    const replayed = await again("/letters", open);
    expect(replayed.headers["idempotency-replayed"]).toBe("true");
    expect(replayed.body).toEqual({
      ...letter.body,
      paperFile: { ...detailsIn(letter.body, "paper"), url: bare(file.url) },
    });
    const { body } = await again("/_service/batch", batch);
    const [hidden = {}, shown = {}] = body.data as object[];
    expect(detailsIn(hidden, "paper").url).toBe(bare(file.url));
    expect(detailsIn(shown, "paper").url).toMatch(signed);
  });

  test("results for app code, and tools of agents", async () => {
    const { resources } = app.app as unknown as {
      resources: {
        documents: { get(id: string): Promise<object>; list(): Promise<{ data: object[] }> };
      };
    };
    await expectSigned(await resources.documents.get(record.id));
    await expectSigned(
      (await resources.documents.list()).data.find((one) => "id" in one && one.id === record.id) ??
        {},
    );
    for (const one of given) expect(Object.keys(one).join()).toMatch(/^[\w,]+$/);
    await expectSigned(given[0] ?? {});
    const agent = await connectAgent(app.url, ada.token);
    try {
      const { result } = await agent.call("get", { resource: "documents", id: record.id });
      await expectSigned(result.record);
    } finally {
      await agent.close();
    }
  });
});

describe("a record's tag", () => {
  test("ignores the signatures, and If-None-Match is ignored", async () => {
    const path = `/documents/${record.id}`;
    const { headers } = await ada.client.get(path);
    const again = await ada.client.send("GET", path, {
      headers: { "if-none-match": String(headers.etag) },
    });
    expect([again.status, again.headers.etag]).toEqual([200, headers.etag]);
    const without = await ada.client.post("/documents", { title: "without", cover: cover.key });
    const known = await ada.client.send("GET", `/documents/${without.body.id}`, {
      headers: { "if-none-match": String(without.headers.etag) },
    });
    expect(known.status).toBe(304);
    const changed = await ada.client.send("PATCH", path, {
      text: "{}",
      headers: { "if-match": String(headers.etag) },
    });
    expect(changed.status).toBe(200);
  });
});

describe("without a signature", () => {
  const url = () => bare(paper.url);

  test("any caller who may read the record and the field gets the file", async () => {
    const { status: answered, bytes, headers } = await fetchFile(app, url(), { token: ada.token });
    expect([answered, bytes.equals(pdf)]).toEqual([200, true]);
    expect(headers["cache-control"]).toBe("private, no-cache");
    expect(await status(url(), { token: clerk.token })).toBe(200);
    expect(await status(bare(scan.renditions.thumb?.url ?? ""), { token: clerk.token })).toBe(200);
    expect(await status(bare(note.url), { token: clerk.token })).toBe(200);
  });

  test("a token also counts if the signature has ended", async () => {
    const ended = `${url()}?until=1700000000&signature=${"A".repeat(43)}`;
    const { status: answered, headers } = await fetchFile(app, ended, { token: ada.token });
    expect([answered, headers["cache-control"]]).toEqual([200, "private, no-cache"]);
    expect(await status(ended, { token: bob.token })).toBe(404);
  });

  test("other callers get the same 404 as for a missing file", async () => {
    const none = url().replace(/[0-9a-f]{12}-/, "0123456789ab-");
    for (const options of [{}, { token: bob.token }, { token: "x".repeat(43) }]) {
      const [one, other] = [
        await fetchFile(app, url(), options),
        await fetchFile(app, none, options),
      ];
      expect([one.status, one.bytes.toString()]).toEqual([404, other.bytes.toString()]);
      expect(one.headers["www-authenticate"]).toBeUndefined();
    }
    // The owner uploaded it, but may not read the field.
    expect(await status(bare(note.url), { token: ada.token })).toBe(404);
  });

  test("a file that no record holds belongs to its uploader", async () => {
    const loose = await uploaded(ada.client, "documents/paper", "loose.pdf");
    expect(await status(bare(loose.url), { token: ada.token })).toBe(200);
    expect(await status(bare(loose.url), { token: clerk.token })).toBe(404);
    const { body } = await ada.client.post("/documents", { paper: loose.key });
    expect(await status(bare(loose.url), { token: clerk.token })).toBe(200);
    await ada.client.delete(`/documents/${body.id}`);
    expect(await status(bare(loose.url), { token: clerk.token })).toBe(404);
    expect(await status(bare(loose.url), { token: ada.token })).toBe(200);
  });

  test("the policy decides about each record that holds it", async () => {
    const file = await uploaded(ada.client, "letters/paper", "policy.pdf");
    const values = { title: "hidden", paper: file.key };
    await ada.client.post("/letters", values);
    expect(await status(bare(file.url), { token: clerk.token })).toBe(404);
    expect(await status(bare(file.url), { token: ada.token })).toBe(404);
    await ada.client.post("/letters", { ...values, title: "shown" });
    expect(await status(bare(file.url), { token: clerk.token })).toBe(200);
  });

  test("rules that are the same for all callers do not reveal the files of others", async () => {
    const loose = await uploaded(ada.client, "letters/paper", "loose.pdf");
    const hidden = await uploaded(ada.client, "letters/paper", "hidden.pdf");
    await ada.client.post("/letters", { title: "hidden", paper: hidden.key });
    for (const { key } of [loose, hidden]) {
      const taken = await bob.client.post("/letters", { title: "taken", paper: key });
      expect(taken.body).toMatchObject({ issues: [{ path: "paper" }] });
    }
    const own = await ada.client.post("/letters", { title: "own", paper: loose.key });
    expect(own.status, own.text).toBe(201);
  });

  test("members of a team have its files while they are members", async () => {
    const team = await ada.client.post("/teams", { name: "one" });
    const drawing = await uploaded(ada.client, "plans/drawing", "plan.png");
    const plan = await ada.client.post("/plans", { teamId: team.body.id, drawing: drawing.key });
    expect(plan.status, plan.text).toBe(201);
    expect(await status(bare(drawing.url), { token: bob.token })).toBe(404);
    const member = await ada.client.post("/memberships", { teamId: team.body.id, userId: bob.id });
    expect(await status(bare(drawing.url), { token: bob.token })).toBe(200);
    await ada.client.delete(`/memberships/${member.body.id}`);
    expect(await status(bare(drawing.url), { token: bob.token })).toBe(404);
  });

  test("a token counts until it is revoked, or its account disabled", async () => {
    const { client, id } = await app.caller("clerk");
    const token = await tokenOf(client);
    expect(await status(url(), { token })).toBe(200);
    await app.db.query("update service.users set disabled_at = now() where id = $1", [id]);
    expect(await status(url(), { token })).toBe(404);
    const { client: other } = await app.caller("clerk");
    const revoked = await tokenOf(other);
    expect(await status(url(), { token: revoked })).toBe(200);
    const { body } = await other.get<{ data: { id: string }[] }>("/auth/service-tokens");
    await other.delete(`/auth/service-tokens/${body.data[0]?.id}`);
    expect(await status(url(), { token: revoked })).toBe(404);
  });
});

describe("forged addresses are 404", () => {
  const parts = () => {
    const [path = "", query = ""] = paper.url.split("?");
    const { until = "", signature = "" } = Object.fromEntries(new URLSearchParams(query));
    return { path, until, signature };
  };

  test("a signature with one bit changed, at any position", async () => {
    const { path, until, signature } = parts();
    const bytes = Buffer.from(signature, "base64url");
    for (let at = 0; at < 32; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      const url = `${path}?until=${until}&signature=${changed.toString("base64url")}`;
      expect(await status(url)).toBe(404);
    }
  });

  test("another time, another key, another form", async () => {
    const { path, until, signature } = parts();
    const sound = `until=${until}&signature=${signature}`;
    const far = 4_102_444_800;
    for (const query of [
      `until=${far}&signature=${signature}`,
      `until=${Number(until) + 60}&signature=${signature}`,
      `until=0${until}&signature=${signature}`,
      `until=${until}.0&signature=${signature}`,
      `until=%20${until}&signature=${signature}`,
      `until=${until}&signature=${signature}=`,
      `until=${until}&signature=${signature.slice(0, -1)}`,
      `until=${until}&signature=${signature.slice(0, -1)}${signature.endsWith("_") ? "-" : "_"}`,
      `${sound}&until=${until}`,
      `${sound}&signature=${signature}`,
      `until=${until}&signature=`,
      `until=&signature=${signature}`,
      `until=${until}`,
      `signature=${signature}`,
      `UNTIL=${until}&signature=${signature}`,
      `until[]=${until}&signature[]=${signature}`,
    ]) {
      expect([query, await status(`${path}?${query}`)]).toEqual([query, 404]);
    }
    expect(await status(`${path}?${sound}&other=1`)).toBe(200);
    const others = [bare(scan.url), bare(note.url), `${path}.pdf`];
    for (const other of others) expect(await status(`${other}?${sound}`)).toBe(404);
  });

  test("a signature that has ended, or of another app", async () => {
    const { path } = parts();
    const sign = (secret: string, until: number) => {
      const key = Buffer.from(hkdfSync("sha256", secret, "", "service/files/1", 32));
      const text = `${paper.key}\n${until}`;
      const signature = createHmac("sha256", key).update(text).digest("base64url");
      return `${path}?until=${until}&signature=${signature}`;
    };
    const own = "a secret of the tests, long enough";
    const now = Math.floor(Date.now() / 1000);
    expect(await status(sign(own, now + 100))).toBe(200);
    expect(await status(sign(own, now - 1))).toBe(404);
    expect(await status(sign("a secret of another app, long enough", now + 100))).toBe(404);
  });

  test("tricks with the path", async () => {
    const { path, until, signature } = parts();
    const query = `?until=${until}&signature=${signature}`;
    const [file = ""] = path.split("/").slice(-1);
    const folder = path.slice(0, -file.length);
    for (const trick of [
      `${folder}${file.toUpperCase()}`,
      `${folder}./${file}`,
      `${folder}x/../${file}`,
      `${folder}..%2f${file}`,
      `${folder}${file}%00`,
      `${folder}${file}/`,
      `${folder}/${file}`,
      path.replace("files/", "files/private/"),
      path.replace("/documents/", "/documents%2f"),
    ]) {
      expect([trick, await status(trick + query)]).toEqual([trick, 404]);
    }
    // The same path, encoded otherwise, is the same key.
    expect(await status(path.replace("documents", "%64ocuments") + query)).toBe(200);
  });

  test("keys of others' files cannot be stored, however they were obtained", async () => {
    for (const write of [
      () => bob.client.post<Row>("/documents", { title: "mine", paper: paper.key }),
      async () => {
        const { body } = await bob.client.post("/documents", { title: "mine" });
        return bob.client.patch<Row>(`/documents/${body.id}`, { paper: paper.key });
      },
    ]) {
      const { status, body } = await write();
      expect(status).toBe(422);
      expect(body).toMatchObject({
        issues: [{ path: "paper", message: "No file was uploaded to this field under this key" }],
      });
    }
    // Whoever sees it may use it too, as may anybody a public one.
    const copy = await clerk.client.post("/documents", { paper: paper.key, cover: cover.key });
    expect(copy.status, copy.text).toBe(201);
    await clerk.client.delete(`/documents/${copy.body.id}`);
  });

  test("a missing record, or one that has changed, is reported before such a key", async () => {
    const planOf = async ({ client }: Person, values: object) => {
      const team = await client.post("/teams", { name: "drawing" });
      const plan = await client.post<Row>("/plans", { teamId: team.body.id, ...values });
      expect(plan.status, plan.text).toBe(201);
      return plan.body;
    };
    const { key: drawing } = await uploaded(ada.client, "plans/drawing", "hers.png");
    const hers = await planOf(ada, { drawing });
    const other = { drawing: (await uploaded(ada.client, "plans/drawing", "loose.png")).key };
    for (const values of [{ drawing }, other]) {
      expect((await bob.client.patch(`/plans/${hers.id}`, values)).status).toBe(404);
    }
    const { id } = await planOf(bob, {});
    const change = (ifMatch: string) =>
      bob.client.send("PATCH", `/plans/${id}`, {
        text: JSON.stringify(other),
        headers: { "if-match": ifMatch },
      });
    expect((await change('"another"')).status).toBe(412);
    expect((await change("*")).status).toBe(422);
  });
});

test("a query in a body reports its mistakes together with parameters in the address, here too", async () => {
  const { status, body } = await ada.client.post("/documents/_query?q=e", { sort: 1 });
  expect(status).toBe(400);
  const { issues } = body as unknown as { readonly issues: readonly { readonly param: string }[] };
  expect(issues.map(({ param }) => param).sort()).toEqual(["q", "sort"]);
});
