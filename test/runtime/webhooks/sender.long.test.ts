import { createHmac, randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { newSecret } from "../../../runtime/webhooks/store/secrets.js";
import { replaceSecret } from "../../../runtime/webhooks/store/webhooks.js";
import {
  type Received,
  type Receiver,
  type Respond,
  refuseWith,
  startDoubtfulReceiver,
  startReceiver,
} from "./support/receiver.js";
import {
  openWebhooks,
  type StartedSender,
  secrets,
  type TestWebhooks,
} from "./support/webhooks.js";

let webhooks: TestWebhooks;
const receivers: Receiver[] = [];
let senders: StartedSender[] = [];

beforeAll(async () => {
  webhooks = await openWebhooks();
});
afterEach(async () => {
  await Promise.all(senders.map((one) => one.close(0)));
  senders = [];
  await Promise.all(receivers.splice(0).map((one) => one.close()));
  await webhooks.db.query("truncate service.webhooks, service.webhook_deliveries");
});
afterAll(() => webhooks.close());

async function receiver(respond?: Respond): Promise<Receiver> {
  const started = await startReceiver(respond);
  receivers.push(started);
  return started;
}

function sender(choice?: Parameters<TestWebhooks["sender"]>[0]): StartedSender {
  const started = webhooks.sender(choice);
  senders.push(started);
  return started;
}

/** The signatures of what was received, by Standard Webhooks 1.0. */
function expected({ headers, body }: Received, ...keys: readonly Buffer[]): string {
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return keys
    .map((key) => `v1,${createHmac("sha256", key).update(signed).digest("base64")}`)
    .join(" ");
}

async function only<T>(list: readonly T[]): Promise<T> {
  await expect.poll(() => list.length).toBe(1);
  const [one] = list;
  if (one === undefined) throw new Error("none");
  return one;
}

async function rowOf(webhookId: string) {
  const [row] = await webhooks.rows(webhookId);
  return row;
}

test("a delivery is signed and sent once", async () => {
  const { url, received } = await receiver();
  const { id, secret } = await webhooks.add(url);
  await webhooks.deliver(id, [null, '{"type":"test"}']);
  const one = sender();
  const sent = await only(received);
  expect(sent.body).toBe('{"type":"test"}');
  expect(sent.headers).toMatchObject({
    "content-type": "application/json",
    "content-length": "15",
    "webhook-signature": expected(sent, secret),
  });
  const seconds = Number(sent.headers["webhook-timestamp"]);
  expect(Math.abs(Date.now() / 1_000 - seconds)).toBeLessThan(5);
  await expect.poll(() => rowOf(id)).toMatchObject({ state: "succeeded", attempts: 1 });
  expect(await rowOf(id)).toMatchObject({
    id: sent.headers["webhook-id"],
    status: 204,
    error: null,
    wait: null,
  });
  expect(one.ended).toEqual(["succeeded"]);
});

test("the previous secret also signs for a day", async () => {
  const { url, received } = await receiver();
  const { id, secret: former } = await webhooks.add(url);
  const { plain, encrypted } = newSecret(secrets, id);
  await replaceSecret(webhooks.db, id, encrypted);
  await webhooks.deliver(id, [null, "{}"]);
  sender();
  const sent = await only(received);
  expect(sent.headers["webhook-signature"]).toBe(expected(sent, plain, former));
  await webhooks.db.query(
    "update service.webhooks set former_until = former_until - interval '24 hours'",
  );
  await webhooks.deliver(id, [null, "{}"]);
  await expect.poll(() => received.length).toBe(2);
  const next = received[1] ?? sent;
  expect(next.headers["webhook-signature"]).toBe(expected(next, plain));
});

test("a failed delivery is retried with the same id, and the previous responses are kept", async () => {
  let status = 500;
  const { url, received } = await receiver((_, response) => void response.writeHead(status).end());
  const { id } = await webhooks.add(url);
  await webhooks.deliver(id, [null, "{}"]);
  const one = sender();
  await expect.poll(() => rowOf(id)).toMatchObject({ state: "waiting", attempts: 1 });
  const row = await rowOf(id);
  expect(row).toMatchObject({ status: 500, error: "The receiver responded with 500" });
  // Four seconds at least, of which a busy machine may have spent some.
  expect(row?.wait).toBeGreaterThan(0);
  expect(row?.wait).toBeLessThan(6);
  status = 200;
  await webhooks.db.query("update service.webhook_deliveries set next_at = now()");
  await expect.poll(() => rowOf(id)).toMatchObject({ state: "succeeded", attempts: 2 });
  const ids = received.map(({ headers }) => headers["webhook-id"]);
  expect(ids).toEqual([row?.id, row?.id]);
  expect(one.ended).toEqual(["failed", "succeeded"]);
});

test("the tenth attempt is the last", async () => {
  const { url } = await receiver(refuseWith(503));
  const { id } = await webhooks.add(url);
  await webhooks.deliver(id, [null, "{}"]);
  await webhooks.db.query("update service.webhook_deliveries set attempts = 8");
  sender();
  await expect.poll(() => rowOf(id)).toMatchObject({ state: "waiting", attempts: 9 });
  const wait = (await rowOf(id))?.wait ?? 0;
  expect(wait).toBeGreaterThan(0.79 * 86_400);
  expect(wait).toBeLessThan(1.21 * 86_400);
  await webhooks.db.query("update service.webhook_deliveries set next_at = now()");
  await expect.poll(() => rowOf(id)).toMatchObject({ state: "failed", attempts: 10, wait: null });
});

test("a receiver's Retry-After is respected", async () => {
  const { url } = await receiver(refuseWith(429, { "retry-after": "3600" }));
  const { id } = await webhooks.add(url);
  await webhooks.deliver(id, [null, "{}"]);
  sender();
  await expect.poll(async () => (await rowOf(id))?.attempts).toBe(1);
  expect((await rowOf(id))?.wait).toBeGreaterThan(3_590);
});

test("410 disables the webhook, and operators get a mail", async () => {
  const { url } = await receiver(refuseWith(410));
  const { id } = await webhooks.add(url);
  await webhooks.deliver(id, [null, "{}"], [null, "{}"]);
  const one = sender();
  await expect.poll(() => rowOf(id)).toMatchObject({ state: "failed", status: 410, attempts: 1 });
  const [row] = await webhooks.db.query("select is_disabled from service.webhooks");
  expect(row).toEqual({ is_disabled: true });
  const host = new URL(url).host;
  expect(one.mails).toMatchObject([{ kind: "webhook-disabled", host, isGone: true, name: "Ada" }]);
});

test("a webhook without a success for five days is disabled, and operators get a mail", async () => {
  const { url } = await receiver(refuseWith(500));
  const { id } = await webhooks.add(url);
  await webhooks.deliver(id, [null, "{}"]);
  const one = sender();
  await expect.poll(async () => (await rowOf(id))?.attempts).toBe(1);
  const again = async (since: string) => {
    await webhooks.db.query(
      `update service.webhooks set failing_since = now() - interval '${since}'`,
    );
    await webhooks.db.query("update service.webhook_deliveries set next_at = now()");
  };
  await again("119 hours");
  await expect.poll(async () => (await rowOf(id))?.attempts).toBe(2);
  expect(one.mails).toEqual([]);
  await again("121 hours");
  await expect.poll(() => one.mails).toMatchObject([{ kind: "webhook-disabled", isGone: false }]);
  // What waits is left until somebody enables it again.
  await again("121 hours");
  await webhooks.deliver(id, [null, "{}"]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(one.ended).toHaveLength(3);
});

test("the next change of a record waits for the delivery of the previous one", async () => {
  let status = 500;
  const { url, received } = await receiver((_, response) => void response.writeHead(status).end());
  const { id } = await webhooks.add(url);
  const [record, other] = [randomUUID(), randomUUID()];
  await webhooks.deliver(id, [record, "1"], [record, "2"], [other, "3"]);
  sender();
  const failed = "select from service.webhook_deliveries where attempts = 1 and claim is null";
  await expect.poll(() => webhooks.db.query(failed)).toHaveLength(2);
  await webhooks.db.query(
    "update service.webhook_deliveries set next_at = now() + interval '1 hour'",
  );
  await webhooks.deliver(id, [record, "4"]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(received.map(({ body }) => body).toSorted()).toEqual(["1", "3"]);
  // They are shown to be due when the former is.
  const waits = (await webhooks.rows(id)).map(({ wait }) => Math.round(wait ?? 0));
  expect(Math.min(...waits)).toBeGreaterThan(3_000);
  status = 204;
  received.splice(0);
  await webhooks.db.query("update service.webhook_deliveries set next_at = now() where body = '1'");
  await expect.poll(() => received.length).toBe(3);
  expect(received.map(({ body }) => body)).toEqual(["1", "2", "4"]);
});

test("after a delivery has failed permanently, the next one of its record is sent", async () => {
  const { url, received } = await receiver(
    (_, response, { body }) => void response.writeHead(body === "1" ? 500 : 204).end(),
  );
  const { id } = await webhooks.add(url);
  const record = randomUUID();
  await webhooks.deliver(id, [record, "1"], [record, "2"]);
  await webhooks.db.query("update service.webhook_deliveries set attempts = 9 where body = '1'");
  sender();
  await expect.poll(() => received.map(({ body }) => body)).toEqual(["1", "2"]);
});

test("a receiver that hangs uses up its time limit, and delays no other webhook", async () => {
  const hanging = await receiver(() => {});
  const quick = await receiver();
  const slow = await webhooks.add(hanging.url);
  const { id } = await webhooks.add(quick.url);
  const many = (count: number) => Array.from({ length: count }, (): [null, string] => [null, "{}"]);
  await webhooks.deliver(slow.id, ...many(100));
  const one = sender({ mostMs: 2_000 });
  await expect.poll(() => hanging.received.length).toBeGreaterThan(0);
  await webhooks.deliver(id, ...many(20));
  await expect.poll(() => quick.received.length).toBe(20);
  // The hundred would take their time limit one after the other.
  expect((await webhooks.rows(slow.id)).length).toBe(100);
  await expect.poll(() => one.ended).toContain("timed_out");
  const failed = async () =>
    (await webhooks.rows(slow.id)).find(({ attempts }) => attempts > 0) ?? null;
  await expect.poll(failed).toMatchObject({
    status: null,
    error: "There was no response within 2 s",
  });
});

test("of a response of a gigabyte a few kilobytes are read", async () => {
  let written = 0;
  const { url } = await receiver((_, response) => {
    response.writeHead(200);
    const chunk = Buffer.alloc(65_536);
    const more = () => {
      while (written < 2 ** 30 && response.write(chunk)) written += chunk.length;
      if (written < 2 ** 30) response.once("drain", more);
    };
    response.on("error", () => {});
    more();
  });
  const { id } = await webhooks.add(url);
  await webhooks.deliver(id, [null, "{}"]);
  sender();
  await expect.poll(() => rowOf(id)).toMatchObject({ state: "succeeded" });
  expect(written).toBeLessThan(2 ** 24);
});

test.each([
  [301, "http://169.254.169.254/latest/meta-data"],
  [307, "/elsewhere"],
])("a redirect by %i to %s is not followed", async (status, location) => {
  const { url, received } = await receiver(refuseWith(status, { location }));
  const { id } = await webhooks.add(url);
  await webhooks.deliver(id, [null, "{}"]);
  sender();
  await expect.poll(() => rowOf(id)).toMatchObject({ attempts: 1, status });
  expect(received).toHaveLength(1);
});

test("an address that becomes private is refused at the attempt", async () => {
  const { url, received } = await receiver();
  const { id } = await webhooks.add(url.replace("127.0.0.1", "receiver.example"));
  await webhooks.deliver(id, [null, "{}"]);
  const asked: string[] = [];
  const one = sender({
    allow: [],
    resolve: async (host) => {
      asked.push(host);
      return [
        { address: "93.184.215.14", family: 4 },
        { address: "127.0.0.1", family: 4 },
      ];
    },
  });
  await expect
    .poll(() => rowOf(id))
    .toMatchObject({
      attempts: 1,
      status: null,
      error: "The address is private, and webhooks.allow does not list it",
    });
  expect(received).toEqual([]);
  expect(one.ended).toEqual(["refused"]);
  expect(asked).toEqual(["receiver.example"]);
});

test("the address that was checked is the one that is connected to", async () => {
  const { url, received } = await receiver();
  const { id } = await webhooks.add(url.replace("127.0.0.1", "receiver.example"));
  await webhooks.deliver(id, [null, "{}"]);
  let times = 0;
  // The next answer would be another machine.
  const resolve = async () => {
    times += 1;
    return [{ address: times === 1 ? "127.0.0.1" : "127.9.9.9", family: 4 }];
  };
  sender({ allow: ["127.0.0.1"], resolve });
  await expect.poll(() => rowOf(id)).toMatchObject({ state: "succeeded" });
  expect([received.length, times]).toEqual([1, 1]);
  expect(received[0]?.headers.host).toMatch(/^receiver\.example:\d+$/);
});

test("a public address without TLS is refused", async () => {
  const { id } = await webhooks.add("http://receiver.example/hook");
  await webhooks.deliver(id, [null, "{}"]);
  sender({ resolve: async () => [{ address: "93.184.215.14", family: 4 }] });
  await expect
    .poll(async () => (await rowOf(id))?.error)
    .toBe("The address has no TLS, and webhooks.allow does not list it");
});

test("a certificate that no authority has signed is refused", async () => {
  const doubtful = await startDoubtfulReceiver();
  receivers.push(doubtful);
  const { id } = await webhooks.add(doubtful.url);
  await webhooks.deliver(id, [null, "{}"]);
  sender();
  await expect
    .poll(() => rowOf(id))
    .toMatchObject({ attempts: 1, error: "self-signed certificate" });
  expect(doubtful.received).toEqual([]);
});

test("a delivery claimed by a killed process is sent by another", async () => {
  const { url, received } = await receiver();
  const { id } = await webhooks.add(url);
  await webhooks.deliver(id, [null, "{}"]);
  await webhooks.db.query(
    `update service.webhook_deliveries
     set claim = gen_random_uuid(), leased_until = now() + interval '1 hour'`,
  );
  sender();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(received).toEqual([]);
  await webhooks.db.query("update service.webhook_deliveries set leased_until = now()");
  await expect.poll(() => rowOf(id)).toMatchObject({ state: "succeeded", attempts: 1 });
});

test("several processes send each delivery once", async () => {
  const { url, received } = await receiver();
  const { id } = await webhooks.add(url);
  const records = Array.from({ length: 10 }, () => randomUUID());
  const bodies = Array.from({ length: 60 }, (_, place) => String(place));
  await webhooks.deliver(
    id,
    ...bodies.map((body, place): [string, string] => [records[place % 10] ?? "", body]),
  );
  for (let count = 0; count < 3; count += 1) sender();
  await expect.poll(() => received.length).toBeGreaterThanOrEqual(60);
  const sent = received.map(({ body }) => Number(body));
  expect(sent.toSorted((a, b) => a - b)).toEqual(bodies.map(Number));
  for (let record = 0; record < 10; record += 1) {
    const own = sent.filter((place) => place % 10 === record);
    expect(own).toEqual(own.toSorted((a, b) => a - b));
  }
});

test("a sender that stops releases its unfinished deliveries", async () => {
  const { url } = await receiver(() => {});
  const { id } = await webhooks.add(url);
  await webhooks.deliver(id, [null, "{}"]);
  const one = sender({ mostMs: 10_000 });
  const claims = async () =>
    (await webhooks.db.query("select from service.webhook_deliveries where claim is not null"))
      .length;
  await expect.poll(claims).toBe(1);
  await one.close(100);
  expect(await claims()).toBe(0);
  expect(await rowOf(id)).toMatchObject({ state: "waiting", attempts: 0 });
});

test("a webhook whose creator is disabled is sent nothing", async () => {
  const { url, received } = await receiver();
  const creator = await webhooks.account();
  const { id } = await webhooks.add(url, creator);
  const set = (at: string) =>
    webhooks.db.query(`update service.users set disabled_at = ${at} where id = $1`, [creator]);
  await set("now()");
  await webhooks.deliver(id, [null, "{}"]);
  sender();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(received).toEqual([]);
  await set("null");
  await expect.poll(() => received.length).toBe(1);
});

test("old deliveries, and those of deleted webhooks, are deleted", async () => {
  const { url } = await receiver();
  const { id } = await webhooks.add(url);
  const left = await webhooks.add(url);
  await webhooks.deliver(id, [null, "old"], [null, "new"]);
  await webhooks.deliver(left.id, [null, "left"]);
  await webhooks.db.query("delete from service.webhooks where id = $1", [left.id]);
  await webhooks.db.query(
    `update service.webhook_deliveries set created_at = now() - interval '31 days' where body = 'old'`,
  );
  sender();
  const bodies = () =>
    webhooks.db.query("select body from service.webhook_deliveries order by seq");
  await expect.poll(bodies).toEqual([{ body: "new" }]);
});
