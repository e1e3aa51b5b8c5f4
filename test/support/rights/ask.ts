import { expect } from "vitest";
import { expectRefusal } from "../apps/shop.js";
import type { Client, Json, Page, Reply, Row } from "../http/client.js";
import type { Record, Relation } from "../query-model.js";
import type { Asker, Rights } from "./model.js";
import { conditionOn, foundBy, isRefused, nowhere, type Request, sortOn } from "./request.js";

/** A list, by pages or by cursor, each as a look at what the caller sees gives it; and one record. */
export async function ask(request: Request): Promise<void> {
  const { rights, caller, resource, deal } = request;
  const condition = conditionOn(request, resource);
  const { where } = condition;
  const sortable = rights
    .of(resource)
    .fields.filter(({ type }) => !["text", "file"].includes(type));
  const sort = sortOn(request, resource);
  const { by } = sort;
  const relations = rights.relationsOf(resource).filter((one) => one.resource !== "users");
  const relation = deal([null, ...relations]);
  const further = relation === null ? [] : rights.relationsOf(relation.resource);
  const next = deal([null, ...further.filter((one) => one.resource !== "users")]);
  const isCounted = relation?.isInverse === true && deal([true, false]);
  const q = deal(["", "", "tea"]);
  const names = sortable.map(({ name }) => name);
  const fields = deal([null, null, [deal(names)], [...new Set([deal(names), deal(names)])]]);
  const query = new URLSearchParams({ where: JSON.stringify(where), q, sort: by });
  if (fields !== null) query.set("fields", fields.join(","));
  const path =
    relation === null ? null : next === null ? relation.name : `${relation.name}.${next.name}`;
  if (path !== null) query.set("include", path);
  if (isCounted) query.set(`include[${relation?.name}][count]`, "true");
  // Of 100 records, with ten and four in each, 5 000 may come.
  if (next?.isInverse) query.set(`include[${path}][perPage]`, "4");
  const all = new URLSearchParams([...query, ["perPage", "100"], ["etags", "true"]]);
  const escaped = all.toString().replace(/^where/, deal(["where", "w%68ere"]));
  const what = `${caller.role} ${resource} ${decodeURIComponent(escaped)}`;
  const asked = {
    where,
    sort: [by],
    perPage: 100,
    etags: true,
    ...(q !== "" && { q }),
    ...(fields !== null && { fields }),
    ...(relation !== null && {
      include: {
        [relation.name]: {
          ...(isCounted && { count: true }),
          ...(next !== null && {
            include: { [next.name]: next.isInverse ? { perPage: 4 } : true },
          }),
        },
      },
    }),
  };
  const listed = await (deal([true, true, false])
    ? caller.client.list(`/${resource}?${escaped}`)
    : caller.client.post<Page>(`/${resource}/_query`, asked));
  const isRead = isRefused(
    request,
    "list",
    {
      isClosed:
        condition.isClosed ||
        sort.isClosed ||
        (fields ?? []).some((name) => rights.closed(caller, resource, "read").includes(name)) ||
        (relation !== null && rights.isHidden(caller, resource, relation)) ||
        (relation !== null && next !== null && rights.isHidden(caller, relation.resource, next)),
      isShut:
        condition.isShut ||
        sort.isShut ||
        (relation !== null && isShutOut(rights, caller, relation)) ||
        (next !== null && isShutOut(rights, caller, next)),
    },
    listed,
  );
  let etags: ReadonlyMap<Json, string> = new Map();
  if (!isRead) {
    expect(listed.status, `${listed.text} ${what}`).toBe(200);
    const found = foundBy(request, "list", { where, q });
    const shown = rights
      .view(caller)
      .sorted(resource, found, [by])
      .map((row): Record => {
        const whole = rights.shown(caller, resource, row);
        const own = fields === null ? whole : part(whole, ["id", ...fields]);
        if (relation === null) return own;
        const included = rights.included(caller, row, relation, { next, isCounted });
        return { ...own, [relation.name]: included };
      });
    expect(listed.body.data, what).toEqual(shown);
    expect(listed.body.meta.total, what).toBe(shown.length);
    const { etags: tags } = listed.body.meta as unknown as { etags: string[] };
    etags = new Map(shown.map(({ id = null }, at) => [id, tags[at] ?? ""]));
    expect(await walked(caller.client, resource, query, shown.length), what).toEqual(shown);
  }
  await get(request, etags);
}

function part(record: Record, names: readonly string[]): Record {
  return Object.fromEntries(Object.entries(record).filter(([key]) => names.includes(key)));
}

function isShutOut(rights: Rights, caller: Asker, { resource, isInverse }: Relation): boolean {
  return rights.isShut(caller, resource, isInverse ? "list" : "get");
}

/** Every record of a list, three at a time. */
async function walked(
  client: Client,
  resource: string,
  query: URLSearchParams,
  atMost: number,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  let cursor: string | null = "";
  while (cursor !== null && all.length <= atMost) {
    const page = new URLSearchParams([...query, ["perPage", "3"], ["cursor", cursor]]);
    const { body }: Reply<{ data: Row[]; meta: { next: string | null } }> = await client.get(
      `/${resource}?${page}`,
    );
    all.push(...body.data);
    cursor = body.meta.next;
  }
  return all;
}

/** One record, with its tag, and without a body where the caller has it already. */
async function get(
  { rights, caller, resource, deal }: Request,
  etags: ReadonlyMap<Json, string>,
): Promise<void> {
  const one = deal([...rights.rowsOf(resource).map(({ id }) => String(id)), nowhere]);
  const path = `/${resource}/${one}`;
  const got = await caller.client.get(path);
  if (rights.scope(caller, resource, "get") === "none") {
    return expectRefusal(got, rights.refusal(caller));
  }
  const seen = rights.reached(caller, resource, "get").find(({ id }) => id === one);
  if (seen === undefined) return expectRefusal(got, 404);
  if (!rights.agrees(caller, resource, "get", seen)) return expectRefusal(got, 403);
  expect(got.body).toEqual(rights.shown(caller, resource, seen));
  const etag = String(got.headers.etag);
  expect(etags.get(one) ?? etag).toBe(etag);
  const again = await caller.client.send("GET", path, { headers: { "if-none-match": etag } });
  expect(again.status).toBe(304);
}
