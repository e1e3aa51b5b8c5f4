import { setTimeout as sleep } from "node:timers/promises";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  expect,
  onTestFinished,
  test,
  vi,
} from "vitest";
import { type Message, openMailer } from "../../../runtime/mail/index.js";
import type { ClaimedMail } from "../../../runtime/mail/queue/claim.js";
import { maxForAddress } from "../../../runtime/mail/queue/store.js";
import { type DeliveryTimes, openDelivery } from "../../../runtime/mail/send/delivery.js";
import { type MailServer, startMailServer } from "../../support/accounts/smtp.js";
import { keptLog } from "./support/log.js";
import { openTestMailer, type TestMailer } from "./support/mailer.js";
import { messages } from "./support/messages.js";

let room: TestMailer;
let server: MailServer;

beforeAll(async () => {
  room = await openTestMailer();
});
beforeEach(async () => {
  await room.db.query("delete from service.mails");
});
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});
afterAll(() => room.close());

/** An email's id: what its `Message-ID` begins with. */
const anyId = expect.stringMatching(/^[0-9a-f-]{36}$/);

const patience: DeliveryTimes = { pauses: [0.05, 0.1, 0.2], grace: 300 };

/** A failure as nodemailer reports it. */
function answered(response: string, permanent: boolean, command = "DATA"): Error {
  return Object.assign(new Error("Message failed"), { response, permanent, command });
}

/** Sends what is stored by a function. */
function delivering(
  send: (mail: ClaimedMail) => Promise<void>,
  cut: () => void = () => {},
  pauses = patience.pauses,
) {
  const log = keptLog();
  const delivery = openDelivery({ db: room.db, send, cut, log, times: { ...patience, pauses } });
  delivery.start();
  opened.push(delivery);
  return { ...delivery, log };
}

const codeFor = (to: string): Message => ({ ...messages.signInCode, to });

async function untilNoneWaits(): Promise<void> {
  await expect.poll(room.waiting).toEqual([]);
}

test("a mail is stored encrypted, and deleted when it is sent", async () => {
  await room.store(messages.signInLink);
  const [stored] = await room.waiting();
  expect(stored).toMatchObject({ email: "ada@example.com", kind: "sign-in-link", tries: 0 });
  for (const secret of ["482910", "abc_-123", "Ada"]) {
    expect(stored?.text).not.toContain(secret);
    expect(stored?.text).not.toContain(Buffer.from(secret).toString("hex"));
  }
  server = await startMailServer();
  opened.push(server, room.open({ url: server.url }));
  const [mail] = await server.has(1);
  expect(mail?.to).toEqual(["ada@example.com"]);
  await untilNoneWaits();
});

test("a mail stored in a transaction that is rolled back is never sent", async () => {
  server = await startMailServer();
  const mailer = room.open({ url: server.url });
  opened.push(server, mailer);
  const failing = room.db.transaction(async (tx) => {
    await tx.query(
      `insert into service.mails (id, email, kind, queue, sealed, turn, due_at, expires_at)
       values (gen_random_uuid(), 'eve@example.com', 'sign-in-code', 'sign-in', '', 0, now(), now() + '1 hour')`,
    );
    throw new Error("taken back");
  });
  await expect(failing).rejects.toThrow("taken back");
  await mailer.send(messages.signInCode);
  await server.has(1);
  expect(server.tries).toBe(1);
});

test("retries temporary failures, and not permanent ones", async () => {
  let tries = 0;
  const { log } = delivering(async ({ kind }) => {
    if (kind === "reset-link") throw answered("550 No such user", true);
    tries += 1;
    if (tries < 5) throw answered("451 4.3.0 Busy", false);
  });
  await room.store(messages.signInCode);
  await room.store(messages.resetLink);
  await untilNoneWaits();
  expect(tries).toBe(5);
  const logged = { mail: anyId, to: "a…@example.com", kind: "sign-in-code" };
  const reason = "the mail server responded with 451 4.3.0 to DATA";
  const message = "A mail will be retried";
  expect(log.warnings.filter((line) => "wait" in line)).toEqual(
    [50, 100, 200, 200].map((wait) => ({ message, ...logged, reason, wait })),
  );
  expect(log.warnings.filter((line) => !("wait" in line))).toEqual([
    {
      message: "A mail was not sent",
      mail: anyId,
      to: "a…@example.com",
      kind: "reset-link",
      reason: "the mail server responded with 550 to DATA",
    },
  ]);
});

test.each([
  ["CONN", "554 5.3.2 Not now"],
  ["EHLO", "550 5.7.1 Go away"],
  ["STARTTLS", "554 5.7.3 No TLS today"],
  ["AUTH LOGIN", "535 5.7.8 Wrong"],
  ["MAIL FROM", "550 5.7.60 Not yours"],
])("a session that is refused at %s is retried", async (command, response) => {
  let tries = 0;
  const { log } = delivering(async () => {
    tries += 1;
    if (tries === 1) throw answered(response, true, command);
  });
  await room.store(messages.signInCode);
  await untilNoneWaits();
  expect(tries).toBe(2);
  expect(log.warnings).toMatchObject([{ message: "A mail will be retried", wait: 50 }]);
});

test.each(["RCPT TO", "DATA"])("a mail that is refused at %s is not retried", async (command) => {
  const { log } = delivering(async () => {
    throw answered("550 5.1.1 No such user", true, command);
  });
  await room.store(messages.signInCode);
  await untilNoneWaits();
  expect(log.warnings).toMatchObject([{ message: "A mail was not sent" }]);
});

test("a code is retried a last time before it expires, however long the delay would be", async () => {
  await room.store(messages.signInCode);
  await room.db.query("update service.mails set expires_at = now() + interval '7 seconds'");
  let tries = 0;
  const send = async () => {
    tries += 1;
    if (tries === 1) throw answered("451 4.3.0 Busy", false);
  };
  const { log } = delivering(send, () => {}, [600]);
  await untilNoneWaits();
  expect(tries).toBe(2);
  expect(log.warnings).toMatchObject([{ message: "A mail will be retried" }]);
});

test("a code is dropped when it is about to expire", async () => {
  await room.store(messages.signInCode);
  await room.db.query("update service.mails set expires_at = now() + interval '1900 milliseconds'");
  const { log } = delivering(async () => {
    throw answered("451 4.3.0 Busy", false);
  });
  await untilNoneWaits();
  expect(log.warnings).toMatchObject([{ message: "A mail was not sent" }]);
});

test("sends no code that has expired by PostgreSQL's clock", async () => {
  await room.store(messages.signInCode);
  await room.db.query("update service.mails set expires_at = now() - interval '1 second'");
  let tries = 0;
  const { log } = delivering(async () => {
    tries += 1;
  });
  await untilNoneWaits();
  expect(tries).toBe(0);
  expect(log.warnings).toEqual([
    {
      message: "A mail was not sent",
      mail: anyId,
      to: "a…@example.com",
      kind: "sign-in-code",
      reason: "it expired",
    },
  ]);
});

test("several processes send each mail once, a few at a time each", async () => {
  const sent: string[] = [];
  const most: number[] = [0, 0, 0];
  for (const at of most.keys()) {
    let running = 0;
    delivering(async ({ email }) => {
      running += 1;
      most[at] = Math.max(most[at] ?? 0, running);
      await sleep(10);
      sent.push(email);
      running -= 1;
    });
  }
  const addresses = Array.from({ length: 90 }, (_, at) => `person-${at}@example.com`);
  for (const to of addresses) await room.store(codeFor(to));
  await untilNoneWaits();
  expect(sent.toSorted()).toEqual(addresses.toSorted());
  expect(Math.max(...most)).toBeLessThanOrEqual(5);
});

test("a mail that is sent quickly is followed by the next immediately", async () => {
  const sent: string[] = [];
  for (let at = 0; at < 120; at += 1) await room.store(codeFor(`person-${at}@example.com`));
  await room.db.query("update service.mails set due_at = now()");
  delivering(async ({ email }) => {
    sent.push(email);
  });
  // At five a second it would take 24.
  await expect.poll(() => sent.length, { timeout: 18_000 }).toBe(120);
  await untilNoneWaits();
});

test("closing records mails whose sending was in progress", async () => {
  for (let at = 0; at < 40; at += 1) await room.store(codeFor(`person-${at}@example.com`));
  await room.db.query("update service.mails set due_at = now()");
  let sent = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const delivery = openDelivery({
    db: room.db,
    send: async () => {
      if (sent === 30) await held;
      sent += 1;
    },
    cut: () => {},
    log: keptLog(),
    times: { ...patience, grace: 10_000 },
  });
  const closed = delivery.close();
  await expect.poll(() => sent).toBe(30);
  // The last few of those are recorded together with the next one.
  await expect.poll(async () => (await room.waiting()).length).toBeLessThan(20);
  release();
  await closed;
  expect(await room.waiting()).toEqual([]);
});

test("a new code replaces a queued one; notices are queued together", async () => {
  await room.store(messages.signInCode);
  await room.store({ ...messages.signInCode, code: "111111" });
  await room.store(messages.resetLink);
  await room.store(messages.passwordChanged);
  await room.store(messages.passwordChanged);
  const waiting = await room.waiting();
  expect(waiting.map(({ kind, turn }) => [kind, turn])).toEqual([
    ["sign-in-code", 0],
    ["reset-link", 0],
    ["password-changed", 0],
    ["password-changed", 1],
  ]);
});

test("at most twenty mails wait for one address: the oldest is deleted", async () => {
  for (let count = 0; count < maxForAddress + 5; count += 1)
    await room.store(messages.passkeyAdded);
  await room.store(messages.signInCode);
  const waiting = await room.waiting();
  expect(waiting).toHaveLength(maxForAddress);
  expect(waiting.at(-1)?.kind).toBe("sign-in-code");
});

test("a decoy looks like a mail, is not sent, and is deleted", async () => {
  server = await startMailServer();
  const mailer = room.open({ url: server.url });
  opened.push(server, mailer);
  await mailer.sendDecoy({ to: "nobody@example.com", kind: "sign-in-code" });
  await mailer.send(messages.signInCode);
  await server.has(1);
  await untilNoneWaits();
  expect(server.mails.map(({ to }) => to)).toEqual([["ada@example.com"]]);
});

test("many mails to some addresses do not delay those to others", async () => {
  const kinds = ["signInLink", "signInCode", "secondStepCode", "setUpCode", "resetLink"] as const;
  for (let at = 0; at < 4; at += 1) {
    for (const kind of kinds)
      await room.store({ ...messages[kind], to: `flood-${at}@example.com` });
    for (let more = 0; more < 10; more += 1) {
      await room.store({ ...messages.passkeyAdded, to: `flood-${at}@example.com` });
    }
  }
  // Late comes when all others are due, and nothing is sent until it is due, too.
  await room.db.query("update service.mails set due_at = now() - interval '1 second'");
  let begun = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const order: string[] = [];
  delivering(async ({ email }) => {
    begun += 1;
    await held;
    order.push(email);
  });
  await expect.poll(() => begun).toBeGreaterThan(3);
  await room.store(codeFor("late@example.com"));
  await room.db.query("update service.mails set due_at = now() where email = 'late@example.com'");
  release();
  await expect.poll(() => order).toContain("late@example.com");
  // Before it come those under way, the first emails to each address, and a few of the less urgent queue.
  expect(order.indexOf("late@example.com")).toBeLessThan(35);
  await untilNoneWaits();
  expect(order).toHaveLength(61);
});

test("mails that a server accepts slowly leave a slot for the first mail to another address", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const sent: string[] = [];
  delivering(async ({ email }) => {
    if (email.startsWith("slow")) await held;
    sent.push(email);
  });
  for (let count = 0; count < 10; count += 1) {
    await room.store({ ...messages.passkeyAdded, to: "slow@example.com" });
  }
  await expect
    .poll(async () => (await room.waiting()).filter(({ tries }) => tries > 0))
    .toHaveLength(4);
  await room.store(codeFor("quick@example.com"));
  await expect.poll(() => sent).toEqual(["quick@example.com"]);
  release();
  await untilNoneWaits();
});

test("the mails of a dead process are sent by another when their lease expires", async () => {
  await room.store(messages.signInCode);
  await room.db.query("update service.mails set tries = 1, due_at = now() + interval '1 hour'");
  const sent: string[] = [];
  delivering(async ({ email }) => {
    sent.push(email);
  });
  await room.store(codeFor("other@example.com"));
  await expect.poll(() => sent).toEqual(["other@example.com"]);
  await room.db.query("update service.mails set due_at = now() where email = 'ada@example.com'");
  await expect.poll(() => sent).toEqual(["other@example.com", "ada@example.com"]);
});

test("the lease of a mail that takes longer is extended", async () => {
  let tries = 0;
  let release = () => {};
  const slow = delivering(async () => {
    tries += 1;
    await new Promise<void>((resolve) => {
      release = resolve;
    });
  });
  await room.store(messages.signInCode);
  slow.wake();
  await expect.poll(() => tries).toBe(1);
  await room.db.query("update service.mails set due_at = now() + interval '7 seconds'");
  const due = async () => {
    const rows = await room.db.query<{ left: number }>(
      "select extract(epoch from due_at - now())::float8 as left from service.mails",
    );
    return rows[0]?.left;
  };
  await expect.poll(due).toBeGreaterThan(8);
  release();
  await untilNoneWaits();
  expect(tries).toBe(1);
});

test("a mail encrypted with an unknown secret is left to other processes, and logged", async () => {
  server = await startMailServer();
  const log = keptLog();
  const stranger = room.open({ url: server.url, log, secret: "x".repeat(32) });
  await room.store(messages.signInCode);
  await expect.poll(() => log.warnings.length).toBeGreaterThan(0);
  expect(log.warnings[0]).toMatchObject({
    message: "A mail will be retried",
    reason: "Encrypted with a secret that is neither SERVICE_SECRET nor SERVICE_SECRET_PREVIOUS",
  });
  await stranger.close();
  opened.push(server, room.open({ url: server.url }));
  await server.has(1);
});

test("a mail that waited while the secret was changed is sent", async () => {
  await room.store(messages.resetLink);
  server = await startMailServer();
  const secrets = { secret: "n".repeat(32), previousSecret: "s".repeat(32) };
  opened.push(server, room.open({ url: server.url, ...secrets }));
  const [mail] = await server.has(1);
  expect(mail?.to).toEqual(["ada@example.com"]);
});

test("a stored mail whose bytes were changed is logged as such", async () => {
  await room.store(messages.resetLink);
  await room.db.query(
    "update service.mails set sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1)",
  );
  const log = keptLog();
  opened.push(room.open({ url: "smtp://127.0.0.1:1", log }));
  await expect.poll(() => log.warnings.length).toBeGreaterThan(0);
  expect(log.warnings[0]).toMatchObject({
    reason: "The stored bytes cannot be decrypted: they were changed, or belong to another row",
  });
  await room.db.query("delete from service.mails");
});

test("a process whose lease has expired leaves the mail to the one that took it over", async () => {
  let fail = () => {};
  const { log } = delivering(
    () =>
      new Promise((_resolve, reject) => {
        fail = () => reject(answered("451 4.3.0 Busy", false));
      }),
  );
  await room.store(messages.signInCode);
  await expect.poll(async () => (await room.waiting())[0]?.tries).toBe(1);
  const takenOver = "update service.mails set tries = 2, due_at = '2100-01-01'";
  await room.db.query(takenOver);
  fail();
  await expect.poll(() => log.warnings.length).toBe(1);
  await sleep(200);
  const due = "select due_at = '2100-01-01' as held from service.mails";
  expect(await room.db.query(due)).toEqual([{ held: true }]);
  await room.db.query("delete from service.mails");
});

test("a decoy is deleted without a log line, however late", async () => {
  server = await startMailServer();
  const log = keptLog();
  const mailer = room.open({ url: server.url, log });
  await mailer.close();
  await mailer.sendDecoy({ to: "nobody@example.com", kind: "reset-link" });
  // Its time was over while no server ran to drop it when it was due.
  await room.db.query(
    "update service.mails set due_at = now() + interval '1 hour', expires_at = now() - interval '1 second'",
  );
  opened.push(server, room.open({ url: server.url, log }));
  await untilNoneWaits();
  expect(log.text()).toBe("[]");
});

test("closing sends mails stored a moment ago", async () => {
  server = await startMailServer();
  opened.push(server);
  const mailer = room.open({ url: server.url });
  await mailer.sendAll(Object.values(messages));
  await mailer.close();
  expect(await room.waiting()).toEqual([]);
  expect(server.mails.length).toBeGreaterThan(8);
});

test("closing stops waiting for a slow server, and leaves its mails to other processes", async () => {
  let fail = () => {};
  const stuck = delivering(
    () =>
      new Promise((_resolve, reject) => {
        fail = () => reject(new Error("Connection pool was closed"));
      }),
    () => fail(),
  );
  await room.store(messages.signInCode);
  await expect.poll(async () => (await room.waiting())[0]?.tries).toBe(1);
  const before = performance.now();
  await stuck.close();
  expect(performance.now() - before).toBeGreaterThan(250);
  const sent: string[] = [];
  delivering(async ({ kind }) => {
    sent.push(kind);
  });
  // At once, not when a lease ends.
  await expect.poll(() => sent).toEqual(["sign-in-code"]);
});

test("a database that is down is logged once, and mails are sent when it is back", async () => {
  await room.db.query("alter table service.mails rename to mails_away");
  const sent: string[] = [];
  const { log } = delivering(async ({ kind }) => {
    sent.push(kind);
  });
  const back = "alter table if exists service.mails_away rename to mails";
  onTestFinished(async () => void (await room.db.query(back)));
  await expect.poll(() => log.warnings).toHaveLength(1);
  await sleep(2_000);
  expect(log.warnings).toMatchObject([{ message: "Stored mails cannot be read" }]);
  await room.db.query(back);
  await room.store(messages.signInCode);
  await expect.poll(() => sent).toEqual(["sign-in-code"]);
});

test("without a mail server, mails stored before are deleted when they expire", async () => {
  await room.store({ ...messages.signInCode, to: "over@example.com" });
  await room.db.query("update service.mails set expires_at = now() - interval '1 second'");
  await room.store(messages.resetLink);
  const config = {
    app: { name: "Shop" },
    environment: "production",
    mailer: { driver: "none", from: "Shop <no-reply@shop.example>" },
    secret: Buffer.from("s".repeat(32)),
    previousSecret: null,
  } as const;
  const mailer = openMailer({ config, db: room.db, log: keptLog() });
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    mailer.start();
    opened.push(mailer);
    vi.advanceTimersByTime(60_000);
  } finally {
    vi.useRealTimers();
  }
  await expect
    .poll(async () => (await room.waiting()).map(({ kind }) => kind))
    .toEqual(["reset-link"]);
});
