import sharp from "sharp";
import { api, type Made, make } from "../../pages/record.js";
import type { Person, Stage } from "../stage.js";

export interface Filled {
  readonly good: Made;
  /** One that is in the trash. */
  readonly gone: Made;
  readonly shelf: Made;
  readonly order: Made;
  readonly webhook: string;
  /** An account that shelves belong to. */
  readonly leaver: Person;
}

const names = [
  "Sir Rodney's Marmalade",
  "Queso Cabrales",
  "Gumbär Gummibärchen",
  "Mishi Kobe Niku",
  "Northwoods Cranberry Sauce",
  "Uncle Bob's Organic Dried Pears from the orchards of the far north-west, in a tin of two kilograms",
];

const states = ["draft", "live", "gone"];

/** Fills the app as if it had been used for a while: dates around today, pictures, a trash, failures. */
export async function fill(stage: Stage): Promise<Filled> {
  const leaver = await stage.person("Lea Leaver", "clerk");
  const shelf = await make(stage, "shelves", { name: "Breakfast", keeperId: leaver.id });
  await make(stage, "shelves", { name: "Dairy", keeperId: leaver.id });
  const tags = await Promise.all(
    ["organic", "new", "for children"].map((name) => make(stage, "tags", { name })),
  );
  const goods = await inTurn(24, (at) =>
    make(stage, "goods", {
      name: at < names.length ? names[at] : `${names[at % names.length]?.split(" ")[0]} ${at}`,
      price: (at + 1) * 3.5,
      stock: at % 4 === 0 ? null : at * 7,
      state: states[at % 3],
      shelfId: at % 5 === 0 ? null : shelf.id,
      tagIds: tags.slice(0, at % 4).map(({ id }) => id),
      releasedOn: day((at % 6) - 2),
    }),
  );
  const good = goods[0] as Made;
  const photos = ["#a33", "#3a3", "#33a"];
  await change(stage, `/goods/${good.id}`, {
    about:
      "# Marmalade\n\nOf **Seville** oranges:\n\n- cut thin\n- boiled twice\n\n[More](https://example.com)",
    address: { city: "Oslo", floor: 3, isGift: true },
    extra: { origin: "Seville", batches: [1, 2, 3] },
    soldOutAt: new Date().toISOString(),
    active: false,
    photo: await upload(stage, "photo", "#c83"),
    photos: await inTurn(3, (at) => upload(stage, "photos", photos[at] ?? "#000")),
  });
  for (const other of goods.slice(2, 8)) {
    await change(stage, `/goods/${other.id}`, { photo: await upload(stage, "photo", "#583") });
  }
  const gone = await make(stage, "goods", { name: "Stale bread" });
  for (const one of [gone, await make(stage, "goods", { name: "Sour milk" })]) {
    await change(stage, `/goods/${one.id}`, undefined, "DELETE");
  }
  const order = await make(stage, "orders", { number: "1042", customer: "Ana Trujillo" });
  for (const { id } of goods.slice(0, 3)) {
    await make(stage, "order-lines", { orderId: order.id, goodId: id, quantity: 2 });
  }
  await jobs(stage);
  return { good, gone, shelf, order, leaver, webhook: await webhook(stage) };
}

async function inTurn<Result>(
  many: number,
  work: (at: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < many; at += 1) results.push(await work(at));
  return results;
}

function day(after: number): string {
  return new Date(Date.now() + after * 86_400_000).toISOString().slice(0, 10);
}

async function change(stage: Stage, path: string, body?: object, method = "PATCH") {
  const answer = await api(stage, method, path, body);
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
}

/** Uploads a picture of one colour, and resolves with its key. */
async function upload(stage: Stage, field: string, background: string): Promise<string> {
  const create = { width: 640, height: 480, channels: 3, background } as const;
  const path = `/api/_service/uploads/goods/${field}?name=${field}.png`;
  const response = await fetch(`${stage.app.url}${path}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${stage.app.token}`, accept: "application/json" },
    body: new Uint8Array(await sharp({ create }).png().toBuffer()),
  });
  return ((await response.json()) as { readonly key: string }).key;
}

/** Failed jobs, which the process leaves alone, and one that waits. */
async function jobs(stage: Stage): Promise<void> {
  await stage.app.db.query(
    `insert into service.jobs
       (id, name, key, input, state, attempt, tries, due_at, scheduled_at, started_at, failed_at, error)
     select gen_random_uuid(), 'charge', 'order ' || n, '{}', 'failed', 10, 10, now(), now(),
       now() - interval '4 minutes', now(), $1
     from generate_series(1, 3) n`,
    ["The provider answered 429 Too Many Requests\n  at charge (server.js:12:3)"],
  );
  await stage.app.db.query(
    `insert into service.jobs (id, name, input, state, attempt, tries, due_at, scheduled_at)
     values (gen_random_uuid(), 'report', '{}', 'waiting', 0, 3, now() + interval '3 hours', now())`,
  );
}

/** A webhook that is disabled, so that nothing is sent, with a delivery that failed and one that did not. */
async function webhook(stage: Stage): Promise<string> {
  const { body } = await api(stage, "POST", "/_service/webhooks", {
    url: "https://receiver.example/a/hook/with/quite/a/long/path?and=a-query",
    events: ["goods.*"],
    disabled: true,
  });
  const { id } = body as { readonly id: string };
  await stage.app.db.query(
    `insert into service.webhook_deliveries
       (id, webhook_id, type, record_id, body, state, attempts, status, error, next_at)
     values
       (gen_random_uuid(), $1, 'goods.created', gen_random_uuid(), '{"data":{"name":"Tea"}}', 'failed', 8, 503,
        'The receiver answered 503 Service Unavailable', null),
       (gen_random_uuid(), $1, 'goods.updated', gen_random_uuid(), '{"data":{"name":"Tea"}}', 'succeeded', 1, 204,
        null, null)`,
    [id],
  );
  return id;
}
