import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Client, client, type Reply } from "../../../support/http/client.js";
import { disable, forgetProof } from "../support/rows.js";
import { type AuthServer, startAuth } from "../support/server.js";

let server: AuthServer;
let anonymous: Client;
let round = 0;
/** Of each kind one; only the last has no account. */
let addresses: Readonly<Record<"known" | "unverified" | "disabled" | "unknown", string>>;

beforeAll(async () => {
  server = await startAuth(
    "auth: { registration: true, require_email_verification: true, check_breached_passwords: false }\n",
  );
  anonymous = client(server.url, null);
});
beforeEach(async () => {
  round += 1;
  addresses = {
    known: await server.account(`known-${round}`),
    unverified: await server.account(`unverified-${round}`),
    disabled: await server.account(`disabled-${round}`),
    unknown: `unknown-${round}@example.com`,
  };
  await forgetProof(server, addresses.unverified);
  await disable(server, addresses.disabled);
});
afterAll(() => server.close());

/** Everything in a reply that could reveal something. */
function seenOf({ status, headers, text }: Reply): object {
  const { date: _date, "x-request-id": _id, ...telling } = headers;
  return { status, headers: telling, text };
}

async function seen(path: string, body: object): Promise<object> {
  return seenOf(await anonymous.post(path, body));
}

/** What somebody sees who does the same with each address; the address itself is never in an answer. */
async function expectAlike(journey: (email: string) => Promise<readonly object[]>) {
  const unknown = await journey(addresses.unknown);
  for (const [kind, email] of Object.entries(addresses)) {
    if (kind !== "unknown") expect(await journey(email), kind).toEqual(unknown);
  }
  return unknown as readonly { readonly status: number }[];
}

async function times(count: number, once: () => Promise<object>): Promise<readonly object[]> {
  const found: object[] = [];
  for (let done = 0; done < count; done += 1) found.push(await once());
  return found;
}

const asking = [
  "/auth/email-code",
  "/auth/magic-link",
  "/auth/email/send",
  "/auth/password/forgot",
];

test.each(asking)("seven requests to %s get the same responses for every address", async (path) => {
  const answers = await expectAlike((email) => times(7, () => seen(path, { email })));
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204, 204, 429]);
});

test("eight registrations get the same responses for every address", async () => {
  const body = { name: "Eve", password: "a password of my own" };
  const answers = await expectAlike((email) =>
    times(8, () => seen("/auth/register", { ...body, email })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
});

test("guesses between registrations get the same responses for every address", async () => {
  const body = { name: "Eve", password: "a password of my own" };
  const answers = await expectAlike(async (email) => {
    const register = () => seen("/auth/register", { ...body, email });
    const guess = () => seen("/auth/email/verify", { email, code: "no code" });
    return [await register(), ...(await times(6, guess)), await register(), await guess()];
  });
  const statuses = [200, 401, 401, 401, 401, 401, 429, 200, 401];
  expect(answers.map(({ status }) => status)).toEqual(statuses);
});

describe.each([
  ["/auth/email-code", "/auth/email-code/verify", 300],
  ["/auth/email/send", "/auth/email/verify", 3600],
])("after %s", (ask, verify, seconds) => {
  const guess = (email: string) => seen(verify, { email, code: "not a code" });

  test("six guesses get the same responses for every address, and so does one after expiry", async () => {
    const answers = await expectAlike(async (email) => {
      const before = await guess(email);
      await anonymous.post(ask, { email });
      return [before, ...(await times(7, () => guess(email)))];
    });
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401, 429, 429]);
    server.clock.moveOn(seconds);
    const late = await expectAlike((email) => times(1, () => guess(email)));
    expect(late).toEqual(answers.slice(0, 1));
  });

  test("five of fifty concurrent guesses are checked for an address without an account, too", async () => {
    const email = addresses.unknown;
    await anonymous.post(ask, { email });
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => anonymous.post(verify, { email, code: "123456" })),
    );
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(45);
  });
});

test("the rows of an address with an account and of one without look alike", async () => {
  for (const path of asking) {
    for (const email of Object.values(addresses)) await anonymous.post(path, { email });
  }
  const rows = await server.services.db.query<{ email: string; row: string }>(
    `select email,
       string_agg(concat_ws(' ', purpose, octet_length(code_digest), octet_length(token_hash),
         tries, spent_at, expires_at), ', ' order by purpose) as "row"
     from service.mailed_proofs
     where email = any ($1)
     group by email`,
    [Object.values(addresses)],
  );
  expect(rows).toHaveLength(4);
  expect(new Set(rows.map(({ row }) => row)).size).toBe(1);
});
