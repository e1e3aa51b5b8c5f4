import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, vi } from "vitest";
import {
  authenticatorSecret,
  backupKey,
  encryptFor,
} from "../../../../runtime/auth/second-step/encrypted.js";
import { countEncrypted } from "../../../../runtime/auth/second-step/encrypted-counts.js";
import { reencryptSecrets } from "../../../../runtime/auth/second-step/reencrypt.js";
import { storeMail } from "../../../../runtime/mail/queue/outbox.js";
import type { Secrets } from "../../../../runtime/secret/index.js";
import { client } from "../../../support/http/client.js";
import { rare, test } from "../../../support/rare.js";
import { mailedCode } from "../support/mails.js";
import { person } from "../support/people.js";
import {
  appPerson,
  type Confirmed,
  challenge,
  emailPerson,
  enableApp,
  send,
  totp,
  verify,
} from "../support/second-step.js";
import { type AuthServer, rightPassword, startAuth } from "../support/server.js";

const [former, present, foreign] = ["f".repeat(32), "p".repeat(32), "x".repeat(32)];

let server: AuthServer;

beforeAll(async () => {
  // Its log would report what cannot be decrypted.
  server = await startAuth(undefined, { SERVICE_SECRET: former, SERVICE_LOG_LEVEL: "silent" });
});
beforeEach(() => server.clock.moveOn(61));
afterAll(() => server.close());

/** Another process on the same database, at the same time. */
async function startBeside(environment: Readonly<Record<string, string>>): Promise<AuthServer> {
  const { config, clock } = server.services;
  const databaseUrl = config.database.url;
  const quiet = { SERVICE_LOG_LEVEL: "silent", ...environment };
  const beside = await startAuth(undefined, quiet, { databaseUrl });
  const behind = clock.now().getTime() - beside.services.clock.now().getTime();
  beside.clock.moveOn(behind / 1000);
  return beside;
}

async function query<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
  return server.services.db.query<Row>(text, values);
}

async function forgetAll(): Promise<void> {
  await query("delete from service.users");
}

test("the tables hold no secret, code or challenge in any form", async () => {
  const someone = await appPerson(server, "hidden");
  const waiting = await challenge(server, someone.email);
  await send(server, waiting);
  const code = mailedCode(server, someone.email);
  const other = await person(server, "hidden-too");
  const { secret } = await enableApp(other.caller);
  const third = await person(server, "hidden-three");
  const byMail = { password: rightPassword, method: "email" };
  await third.caller.post("/auth/two-factor/enable", byMail);

  const rows = await tables();
  expect(rows).toContain("hidden-three@example.com");
  for (const one of [code, mailedCode(server, third.email)]) {
    expect(rows).not.toMatch(new RegExp(`\\b${one}\\b`));
  }
  const texts = [
    someone.secret,
    secret,
    waiting,
    someone.token,
    rightPassword,
    ...someone.backupCodes,
    ...someone.backupCodes.map((shown) => shown.replaceAll("-", "")),
  ];
  for (const text of texts) {
    for (const form of [text, Buffer.from(text).toString("hex")]) expect(rows).not.toContain(form);
  }
});

/** Every row of the package's tables, as text. */
async function tables(): Promise<string> {
  const names = await query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name
     from information_schema.tables
     where table_schema = 'service'
       and table_type = 'BASE TABLE'`,
  );
  const texts = names.map(({ name }) => query<{ text: string }>(`select t::text from ${name} t`));
  return JSON.stringify(await Promise.all(texts));
}

test.each(["authenticator_secret", "backup_key"])(
  "another account's %s, copied to one's own row, decrypts nothing and reveals nothing",
  async (column) => {
    const [one, other] = [
      await appPerson(server, `from-${column}`),
      await appPerson(server, `to-${column}`),
    ];
    await query(
      `update service.second_steps
       set ${column} = (
         select ${column} from service.second_steps s join service.users u on u.id = s.user_id
         where u.email = $1
       )
       where user_id = (select id from service.users where email = $2)`,
      [one.email, other.email],
    );
    await query(
      `insert into service.backup_codes (user_id, digest)
       select (select id from service.users where email = $2), digest
       from service.backup_codes c
       join service.users u on u.id = c.user_id
       where u.email = $1
       on conflict do nothing`,
      [one.email, other.email],
    );
    const waiting = await challenge(server, other.email);
    const proof =
      column === "backup_key"
        ? { method: "backup", code: one.backupCodes[0] ?? "" }
        : { method: "totp", code: totp(server, one.secret, 1) };
    const reply = await verify(server, { challenge: waiting, ...proof });
    expect([reply.status, reply.body.code]).toEqual([401, "INVALID_TWO_FACTOR_CODE"]);
    expect((await other.caller.get("/auth/me")).status).toBe(200);
  },
);

describe("a flipped byte", () => {
  const placesOfBytes = [
    ["layout", 0],
    ["key id", 1],
    ["nonce", 5],
    ["tag", 17],
    ["text", 33],
  ] as const;

  async function flip(column: string, email: string, at: number): Promise<void> {
    const [table, name] = column.split(".");
    await query(
      `update service.${table} t
       set ${name} = set_byte(${name}, $2, get_byte(${name}, $2) # 1)
       from service.users u
       where u.id = t.user_id
         and u.email = $1`,
      [email, at],
    );
  }

  async function lines(work: () => Promise<void>): Promise<readonly unknown[][]> {
    const logged = vi.spyOn(server.services.log, "error");
    await work();
    const calls = logged.mock.calls.map((call): unknown[] => [...call]);
    logged.mockRestore();
    return calls;
  }

  test.each(placesOfBytes)(
    "in the %s of an authenticator's secret is a line in the log and a wrong code",
    async (_place, at) => {
      const someone = await appPerson(server, `flipped-${at}`);
      const waiting = await challenge(server, someone.email);
      await flip("second_steps.authenticator_secret", someone.email, at);
      const logged = await lines(async () => {
        const code = totp(server, someone.secret, 1);
        const reply = await verify(server, { challenge: waiting, method: "totp", code });
        expect(reply.status).toBe(401);
        expect(reply.body).toEqual({
          error: expect.any(String),
          code: "INVALID_TWO_FACTOR_CODE",
        });
      });
      expect(logged).toEqual([
        [
          {
            accountId: expect.stringMatching(/^[0-9a-f-]{36}$/),
            column: "service.second_steps.authenticator_secret",
            reason: expect.stringMatching(/./),
          },
          "An encrypted secret cannot be decrypted",
        ],
      ]);
      // The other methods are not concerned.
      const [code = ""] = someone.backupCodes;
      const reply = await verify(server, { challenge: waiting, method: "backup", code });
      expect(reply.status).toBe(201);
    },
  );

  test("in the backup codes' key is a line in the log and a wrong code", async () => {
    const someone = await appPerson(server, "flipped-backup");
    const waiting = await challenge(server, someone.email);
    await flip("second_steps.backup_key", someone.email, 40);
    const logged = await lines(async () => {
      const [code = ""] = someone.backupCodes;
      const reply = await verify(server, { challenge: waiting, method: "backup", code });
      expect([reply.status, reply.body.code]).toEqual([401, "INVALID_TWO_FACTOR_CODE"]);
    });
    expect(logged).toHaveLength(1);
  });

  test("in a pending secret is a line in the log and a wrong code", async () => {
    const someone = await person(server, "flipped-waiting");
    const { secret } = await enableApp(someone.caller);
    await flip("second_step_set_ups.authenticator_secret", someone.email, 40);
    const logged = await lines(async () => {
      const body = { code: totp(server, secret) };
      const reply = await someone.caller.post("/auth/two-factor/confirm", body);
      expect(reply.status).toBe(422);
      expect(reply.body).toEqual({
        error: expect.any(String),
        code: "INVALID_TWO_FACTOR_CODE",
        issues: [{ path: "code", message: "Is wrong" }],
      });
    });
    expect(logged).toHaveLength(1);
  });
});

test("with a new secret and the previous one everything still works, and is re-encrypted when used", async () => {
  await forgetAll();
  const someone = await appPerson(server, "rotated");
  const emailed = await emailPerson(server, "rotated-mail");
  const waiting = await challenge(server, emailed.email);
  await send(server, waiting);
  const code = mailedCode(server, emailed.email);
  const settingUp = await person(server, "rotated-set-up");
  const { secret } = await enableApp(settingUp.caller);

  const next = await startBeside({ SERVICE_SECRET: present, SERVICE_SECRET_PREVIOUS: former });
  const { db, config } = next.services;
  expect(await countEncrypted(db, config)).toEqual({ current: 0, previous: 3, undecryptable: 0 });
  const settled = await next.services.db.query("select user_id from service.second_step_set_ups");
  expect(settled).toHaveLength(1);

  expect((await verify(next, { challenge: waiting, method: "email", code })).status).toBe(201);
  const [backup = ""] = someone.backupCodes;
  for (const proof of [
    { method: "totp", code: totp(next, someone.secret, 1) },
    { method: "backup", code: backup },
  ]) {
    const pending = await challenge(next, someone.email);
    expect((await verify(next, { challenge: pending, ...proof })).status).toBe(201);
  }
  expect(await countEncrypted(db, config)).toEqual({ current: 2, previous: 1, undecryptable: 0 });

  const caller = client(next.url, settingUp.token);
  const confirmation = { code: totp(next, secret) };
  const confirmed = await caller.post<Confirmed>("/auth/two-factor/confirm", confirmation);
  expect(confirmed.status).toBe(200);
  expect(await countEncrypted(db, config)).toEqual({ current: 4, previous: 1, undecryptable: 0 });
  await next.close();
});

test("queued mails count as encrypted with the previous secret until they expire", async () => {
  await forgetAll();
  const next = await startBeside({ SERVICE_SECRET: present, SERVICE_SECRET_PREVIOUS: former });
  const { db, config } = next.services;
  const seals: Secrets[] = [server.services.config, config];
  // In one transaction: otherwise a server may send them before they are counted.
  await db.transaction(async (tx) => {
    for (const secrets of seals) {
      const owner = { to: "a@example.com", name: null };
      const exists = { ...owner, kind: "account-exists" } as const;
      const changed = { ...owner, kind: "password-changed", at: "" } as const;
      await storeMail(tx, secrets, { message: exists, priority: "normal" });
      await storeMail(tx, secrets, { message: changed, priority: "normal" });
    }
    expect(await countEncrypted(tx, config)).toEqual({ current: 0, previous: 1, undecryptable: 0 });
    await tx.query("update service.mails set expires_at = now() - interval '1 second'");
    expect(await countEncrypted(tx, config)).toEqual({ current: 0, previous: 0, undecryptable: 0 });
    await tx.query("delete from service.mails");
  });
  await next.close();
});

test("after re-encryption the previous secret can be removed; backup codes stay valid", async () => {
  await forgetAll();
  const someone = await appPerson(server, "taken-away");
  const settingUp = await person(server, "taken-set-up");
  await enableApp(settingUp.caller);
  const next = await startBeside({ SERVICE_SECRET: present, SERVICE_SECRET_PREVIOUS: former });
  const { db, config } = next.services;
  expect(await reencryptSecrets(next.services)).toEqual({
    reencrypted: 3,
    skipped: 0,
    undecryptable: 0,
  });
  expect(await countEncrypted(db, config)).toEqual({ current: 2, previous: 0, undecryptable: 0 });
  expect(await reencryptSecrets(next.services)).toEqual({
    reencrypted: 0,
    skipped: 0,
    undecryptable: 0,
  });
  await next.close();

  const last = await startBeside({ SERVICE_SECRET: present });
  const [backup = ""] = someone.backupCodes;
  for (const proof of [
    { method: "totp", code: totp(last, someone.secret, 1) },
    { method: "backup", code: backup },
  ]) {
    const pending = await challenge(last, someone.email);
    expect((await verify(last, { challenge: pending, ...proof })).status).toBe(201);
  }
  expect(await reencryptSecrets(last.services)).toEqual({
    reencrypted: 0,
    skipped: 0,
    undecryptable: 0,
  });
  await last.close();
});

test("with another secret nothing decrypts, no sign-in succeeds, and no guess is consumed", async () => {
  await forgetAll();
  const someone = await appPerson(server, "foreign");
  const last = await startBeside({ SERVICE_SECRET: foreign });
  const { db, config } = last.services;
  expect(await countEncrypted(db, config)).toEqual({ current: 0, previous: 0, undecryptable: 2 });
  const pending = await challenge(last, someone.email);
  const code = totp(last, someone.secret, 1);
  for (let count = 0; count < 6; count += 1) {
    const reply = await verify(last, { challenge: pending, method: "totp", code });
    expect([reply.status, reply.body.code]).toEqual([401, "INVALID_TWO_FACTOR_CODE"]);
  }
  await last.close();
  expect((await verify(server, { challenge: pending, method: "totp", code })).status).toBe(201);
});

rare("two processes re-encrypt many values, each once; a tampered one is left", async () => {
  await forgetAll();
  const ids = await accounts(1203);
  const secrets: Secrets = { secret: Buffer.from(former), previousSecret: null };
  const [tampered = "", ...whole] = ids;
  await query(
    `insert into service.second_steps (user_id, authenticator_secret, backup_key)
     select * from unnest($1::uuid[], $2::bytea[], $3::bytea[])`,
    [
      ids,
      ids.map((id) =>
        encryptFor(secrets, { column: authenticatorSecret, accountId: id }, randomBytes(20)),
      ),
      ids.map((id) => encryptFor(secrets, { column: backupKey, accountId: id }, randomBytes(32))),
    ],
  );
  const change = `update service.second_steps
    set backup_key = set_byte(backup_key, 40, get_byte(backup_key, 40) # 1)
    where user_id = $1`;
  await query(change, [tampered]);

  const next = await startBeside({ SERVICE_SECRET: present, SERVICE_SECRET_PREVIOUS: former });
  const { db, config } = next.services;
  const both = await Promise.all([
    reencryptSecrets(next.services),
    reencryptSecrets(next.services),
  ]);
  const reencrypted = both.reduce((sum, one) => sum + one.reencrypted, 0);
  expect([whole.length, reencrypted]).toEqual([1202, 2405]);
  expect(both.map(({ undecryptable }) => undecryptable)).toEqual([1, 1]);
  expect(await countEncrypted(db, config)).toEqual({
    current: 2405,
    previous: 1,
    undecryptable: 0,
  });
  await next.close();
});

async function accounts(count: number): Promise<readonly string[]> {
  const rows = await query<{ id: string }>(
    `insert into service.users (id, name, email)
     select gen_random_uuid(), 'Somebody', format('%s@example.com', n)
     from generate_series(1, $1) n
     returning id`,
    [count],
  );
  return rows.map(({ id }) => id);
}
