import { afterAll, beforeAll, expect, test } from "vitest";
import { lockOperators } from "../../../../runtime/auth/account/last-operator.js";
import {
  assignRole,
  deleteAccount,
  disableAccount,
  noAccountRecords,
} from "../../../../runtime/auth/index.js";
import { lockWaiters } from "../../../support/database/lock-waits.js";
import type { Client, Reply } from "../../../support/http/client.js";
import { signInWith } from "../support/people.js";
import { type AuthServer, startAuth } from "../support/server.js";

const roles = ["admin", "support", "billing"] as const;

interface Somebody {
  readonly id: string;
  readonly email: string;
}

interface Operator extends Somebody {
  readonly caller: Client;
}

let server: AuthServer;
let names = 0;
const operators: Record<string, Operator> = {};

beforeAll(async () => {
  const listed = roles.join(", ");
  server = await startAuth(`auth: { check_breached_passwords: false, operators: [${listed}] }\n`);
  for (const role of roles) operators[role] = await signedIn(role);
});
afterAll(() => server.close());

async function somebody(role?: string): Promise<Somebody> {
  names += 1;
  const email = await server.account(`one-${names}`, role);
  const [row] = await server.services.db.query<{ id: string }>(
    "select id from service.users where email = $1",
    [email],
  );
  return { id: row?.id ?? "", email };
}

async function signedIn(role: string): Promise<Operator> {
  const one = await somebody(role);
  return { ...one, ...(await signInWith(server, one.email)) };
}

const accounts = "/_service/accounts";

function operatorOf(role: string): Operator {
  const found = operators[role];
  if (found === undefined) throw new Error(`Nobody has the role ${role}`);
  return found;
}

const callerOf = (role: string): Client => operatorOf(role).caller;

type Write = (caller: Client, path: string) => Promise<Reply>;

/** Every write to one account, in an order in which all succeed for who may make them. */
const writes: Readonly<Record<string, Write>> = {
  "a change of nothing": (caller, path) => caller.patch(path, {}),
  "the name": (caller, path) => caller.patch(path, { name: "Eve" }),
  "the devices": (caller, path) => caller.delete(`${path}/sessions`),
  "the second step": (caller, path) => caller.delete(`${path}/two-factor`),
  "a reset link": (caller, path) => caller.post(`${path}/password-reset`, {}),
  disabling: (caller, path) => caller.patch(path, { disabled: true }),
  enabling: (caller, path) => caller.patch(path, { disabled: false }),
  "the role": (caller, path) => caller.patch(path, { role: null }),
  deleting: (caller, path) => caller.delete(path),
};

/** What an account is, with its devices and events. */
async function stateOf(id: string): Promise<unknown> {
  const { db } = server.services;
  return [
    await db.query("select * from service.users where id = $1", [id]),
    await db.query("select id from service.sessions where user_id = $1", [id]),
    await db.query("select kind from service.account_events where account_id = $1 order by id", [
      id,
    ]),
  ];
}

const pairs = roles.flatMap((role) =>
  roles.filter((owner) => owner !== role).map((owner) => ({ role, owner })),
);

test.each(pairs.filter(({ role }) => role !== "admin"))(
  "$role writes nothing of an account with the role $owner",
  async ({ role, owner }) => {
    const { id, email } = operatorOf(owner);
    const before = await stateOf(id);
    for (const [name, write] of Object.entries(writes)) {
      const reply = await write(callerOf(role), `${accounts}/${id}`);
      expect({ name, status: reply.status, body: reply.body }).toEqual({
        name,
        status: 403,
        body: {
          error: `Only accounts with the role admin may do this to accounts with the role ${owner}`,
        },
      });
    }
    expect(await stateOf(id)).toEqual(before);
    expect(server.outbox.to(email)).toEqual([]);
  },
);

const allowed = [
  ...roles.flatMap((role) => [role, "editor", undefined].map((owner) => ({ role, owner }))),
  ...pairs.filter(({ role }) => role === "admin"),
];

test.each(allowed)(
  "$role writes all of an account with the role $owner",
  async ({ role, owner }) => {
    const { id } = await somebody(owner);
    for (const [name, write] of Object.entries(writes)) {
      const { status } = await write(callerOf(role), `${accounts}/${id}`);
      expect([200, 204], name).toContain(status);
    }
  },
);

test.each(roles)(
  "%s assigns the roles that it may write, also to its own account",
  async (role) => {
    const caller = callerOf(role);
    for (const given of [...roles, "editor", null]) {
      const status =
        role === "admin" || given === role || given === "editor" || given === null ? 200 : 403;
      const { id } = await somebody("editor");
      expect((await caller.patch(`${accounts}/${id}`, { role: given, name: "Eve" })).status).toBe(
        status,
      );
      const invited = await caller.post(accounts, {
        name: "Ann",
        email: `ann-${names}@example.com`,
        role: given,
      });
      expect(invited.status).toBe(status === 200 ? 201 : 403);
      if (status === 403) {
        expect(server.outbox.to(`ann-${names}@example.com`)).toEqual([]);
        const own = await caller.patch(`${accounts}/${operatorOf(role).id}`, { role: given });
        expect(own.status).toBe(403);
      }
    }
    expect((await caller.get(accounts)).status).toBe(200);
  },
);

test("every operator reads every account, and an unknown one is 404", async () => {
  for (const role of roles) {
    for (const other of roles) {
      expect((await callerOf(role).get(`${accounts}/${operatorOf(other).id}`)).status).toBe(200);
    }
    const unknown = `${accounts}/0190a000-0000-7000-8000-000000000000`;
    expect((await callerOf(role).delete(unknown)).status).toBe(404);
  }
});

test("an operator demoted while a write waited gets 403", async () => {
  const { db } = server.services;
  const target = await somebody("billing");
  const deputy = await signedIn("admin");
  // Holds the lock of operators until the other request waits for it.
  let reply: Promise<Reply> | undefined;
  await db.transaction(async (tx) => {
    await lockOperators(tx);
    reply = deputy.caller.delete(`${accounts}/${target.id}`);
    await expect.poll(() => db.query(lockWaiters)).toHaveLength(1);
    await tx.query("update service.users set role = 'support' where id = $1", [deputy.id]);
  });
  expect((await reply)?.status).toBe(403);
  expect((await callerOf("admin").get(`${accounts}/${target.id}`)).status).toBe(200);
});

test("the command line may write every account", async () => {
  const { email } = await somebody("billing");
  expect(await assignRole(server.services, { email, role: "support" })).toMatchObject({
    role: "support",
  });
  expect(await disableAccount(server.services, email)).not.toBeNull();
  expect(await deleteAccount(server.services, { email, records: noAccountRecords })).not.toBeNull();
});
