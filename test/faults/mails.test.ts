import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type MailServer, startMailServer } from "../support/accounts/smtp.js";
import { openHost, type ShopHost } from "../support/processes/shop-process.js";

let host: ShopHost;
let db: pg.Client;

beforeAll(async () => {
  host = await openHost();
  db = new pg.Client({ connectionString: host.databaseUrl });
  await db.connect();
});
afterAll(async () => {
  await db.end();
  await host.close();
});

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await db.query("delete from service.mails");
});

async function accounts(count: number): Promise<readonly string[]> {
  const { rows } = await db.query<{ email: string }>(
    `insert into service.users (id, name, email, email_verified_at)
     select gen_random_uuid(), 'Somebody', $1 || n || '@example.com', now()
     from generate_series(1, $2) n
     returning email`,
    [randomUUID().slice(0, 8), count],
  );
  return rows.map(({ email }) => email);
}

/** Takes connections and says nothing, so that emails are in hand for long. */
async function startStuckServer(): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.push({
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function startMails(): Promise<MailServer> {
  const server = await startMailServer();
  opened.push(server);
  return server;
}

test("a server that is killed loses no mail: another sends all of them, each once", async () => {
  const emails = await accounts(40);
  const doomed = await host.serve({ SERVICE_MAIL_URL: await startStuckServer() });
  const asked = emails.map((email) => doomed.anonymous.post("/auth/email-code", { email }));
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(emails.map(() => 204));
  // Some of them are in its hands.
  await expect
    .poll(async () => (await db.query("select from service.mails where tries > 0")).rowCount)
    .toBeGreaterThan(0);
  doomed.process.kill("SIGKILL");
  await doomed.process;
  expect((await db.query("select from service.mails")).rowCount).toBe(40);

  const mails = await startMails();
  const next = await host.serve({ SERVICE_MAIL_URL: `${mails.url}?ignoreTLS=true` });
  await expect.poll(() => mails.mails.length, { timeout: 40_000 }).toBe(40);
  await expect.poll(async () => (await db.query("select from service.mails")).rowCount).toBe(0);
  expect(mails.mails.flatMap(({ to }) => to).toSorted()).toEqual(emails.toSorted());
  next.process.kill("SIGTERM");
  await next.process;
});

test("a flood for some addresses delays no other mail, on two servers", async () => {
  const mails = await startMailServer({ answer: () => null });
  opened.push(mails);
  const env = { SERVICE_MAIL_URL: `${mails.url}?ignoreTLS=true` };
  const servers = [await host.serve(env), await host.serve(env)];
  const [flooded, [quiet = ""]] = [await accounts(20), await accounts(1)];
  const paths = ["email-code", "magic-link", "password/forgot"];
  const flood = flooded.flatMap((email, at) =>
    paths.flatMap((path) =>
      Array.from({ length: 6 }, () => servers[at % 2]?.anonymous.post(`/auth/${path}`, { email })),
    ),
  );
  await Promise.all(flood);
  const before = mails.mails.length;
  const reply = await servers[0]?.anonymous.post("/auth/email-code", { email: quiet });
  expect(reply?.status).toBe(204);
  const place = () => mails.mails.findIndex(({ to }) => to.includes(quiet));
  await expect.poll(place, { interval: 20 }).toBeGreaterThan(-1);
  // Those under way come first, and a few of the less urgent.
  expect(place() - before).toBeLessThan(40);
  for (const { process } of servers) {
    process.kill("SIGTERM");
    await process;
  }
});
