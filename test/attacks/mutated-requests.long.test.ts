import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { withoutLastSlash } from "../../runtime/http/request/url.js";
import { newSession } from "../support/accounts/accounts.js";
import { type FixtureApp, type RunningApp, startApp } from "../support/apps/app.js";
import { attackOf, shownAttack } from "../support/attacks/attack.js";
import { type Attacker, faultOf } from "../support/attacks/judge.js";
import { mutated } from "../support/attacks/mutate.js";
import { type AttackAnswer, sendAttack } from "../support/attacks/send.js";
import { client } from "../support/http/client.js";
import { judgedAnswers } from "../support/openapi/answers.js";
import { openDocument } from "../support/openapi/document.js";
import { openStage } from "../support/openapi/exchange.js";
import { newRandom } from "../support/openapi/random.js";
import { validRequest } from "../support/openapi/requests.js";
import { withVariables } from "../support/processes/environment.js";
import { isAudit } from "../support/searches.js";

const fixtures = resolve(import.meta.dirname, "../../fixtures");
const files = [Buffer.from("%PDF-1.4\n%%EOF\n"), Buffer.from("not a file of any kind")];
/** Nobody gets far. */
const attackers: readonly Attacker[] = ["nobody", "member", "member", "operator", "operator"];

/** Pages and scripts, in development only. */
const unasked = ["getServiceDocs", "getServiceDocsFile"];

/** Another one makes other requests: `SEED=7000000 npm run audit`. */
const firstSeed = Number(process.env.SEED ?? 5_000_000);

/** So many requests are under way at once. Their passwords are hashed one after the other, by two threads. */
const atOnce = 6;
const limitMs = 10_000;

test.each([
  ["apps/shop" as const, isAudit ? 10_000 : 1_000],
  ["apps/teams" as const, isAudit ? 6_000 : 600],
  ["apps/notes" as const, isAudit ? 4_000 : 400],
])(
  "no mutated request makes %s fail, hang, leak details or grant access",
  { timeout: 3_600_000 },
  async (name, count) => {
    // In development each email's link would be printed.
    const app = await withVariables({ NODE_ENV: "test" }, () => startApp(name));
    try {
      await attackApp(name, app, count);
    } finally {
      await app.close();
    }
  },
);

async function attackApp(name: FixtureApp, app: RunningApp, count: number): Promise<void> {
  const text = readFileSync(`${fixtures}/${name}/generated/openapi.json`, "utf8");
  const [parsed, document] = [JSON.parse(text), openDocument(text)];
  const stage = await openStage(app);
  const operations = document.operations.filter(({ id }) => !unasked.includes(id));
  const made = (seed: number) => {
    const random = newRandom(seed);
    const operation = random.pick(operations);
    const known = stage.known(operation.path, (limit) => random.below(limit));
    const request = validRequest({ document: parsed, random, known }, operation, files);
    return { random, request };
  };
  const creates = operations.filter(
    ({ method, path }) => method === "POST" && /^\/[a-z-]+$/.test(path),
  );
  for (const [at, operation] of [...creates, ...creates].entries()) {
    const random = newRandom(at);
    const known = stage.known(operation.path, (limit) => random.below(limit));
    await stage.send(validRequest({ document: parsed, random, known }, operation, files));
    await stage.refresh();
  }

  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const callers = await openCallers(app);
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  let [next, slowest] = [0, 0];
  async function attackOn(): Promise<void> {
    while (next < count) {
      const seed = firstSeed + next;
      next += 1;
      if (seed % 500 === 0) await stage.refresh();
      const { random, request } = made(seed);
      const attacker = random.pick(attackers);
      const attack = mutated(random, attackOf(request));
      const shown = `${seed} ${attacker}, ${shownAttack(attack)}`;
      try {
        const token = await callers.tokenOf(attacker, attack.path);
        const answer = await sendAttack(app.url, agent, token, attack);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        slowest = Math.max(slowest, answer.took);
        const method = attack.method === "HEAD" ? "GET" : attack.method;
        const asked = document.find(method, withoutLastSlash(attack.path));
        const isPublic = asked?.value.security?.length === 0;
        const fault = faultOf({ attacker, attack, answer, isPublic, limitMs });
        if (fault !== null) {
          faults.push(`${fault}: ${shown}\n  ${answer.status} ${answer.text.slice(0, 500)}`);
        }
      } catch (error) {
        faults.push(`${shown}\n  ${error}`);
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, attackOn));
  agent.destroy();
  const told = [...statuses].toSorted().map(([status, times]) => `${times} × ${status}`);
  process.stderr.write(`${name}: ${told.join(", ")}; the slowest ${Math.round(slowest)} ms\n`);
  expect(faults.slice(0, 30)).toEqual([]);
  expect(judgedAnswers(app.url)).toBeGreaterThan(count / 2);
  // A good part of the requests passes the checks of their form.
  const done = [...statuses]
    .filter(([status]) => status < 300)
    .reduce((sum, [, one]) => sum + one, 0);
  expect(done).toBeGreaterThan(count / 20);
  expect((await client(app.url, app.token).get("/_service/ping")).status).toBe(200);
}

const refused: AttackAnswer = {
  status: 422,
  headers: {
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'",
    "x-request-id": "1",
  },
  text: '{"error":"Validation failed","issues":[{"path":"a","message":"Not allowed"}]}',
  took: 1,
};

test.each<[string, Partial<AttackAnswer>, string | null]>([
  ["a refusal", {}, null],
  ["a failure", { status: 500 }, "a failure of the server"],
  ["a late answer", { took: 20_000 }, "it took 20000 ms"],
  ["a success", { status: 200 }, "nobody is let in"],
  ["an answer without headers", { headers: {} }, "x-content-type-options is undefined"],
  [
    "an answer for another site",
    { headers: { ...refused.headers, "access-control-allow-origin": "null" } },
    "another site may read it",
  ],
  ["a stack", { text: '{"error":"x at run (/a/b.js:1:2)"}' }, expect.stringContaining("it tells ")],
  [
    "a statement",
    { text: '{"error":"select a from b where c"}' },
    expect.stringContaining("it tells "),
  ],
])("%s is classified", (_, answer, fault) => {
  const attack = { method: "GET", path: "/x", query: [], headers: [], changes: [] };
  const judged = { attack: { ...attack, tree: undefined, bytes: undefined }, isPublic: false };
  const answered = { ...refused, ...answer };
  expect(faultOf({ ...judged, attacker: "nobody", answer: answered, limitMs })).toEqual(fault);
});

interface Callers {
  /** Of somebody new where the request may end sessions or the account. */
  tokenOf(attacker: Attacker, path: string): Promise<string | null>;
}

async function openCallers(app: RunningApp): Promise<Callers> {
  const kept = { member: await newCaller(app, null), operator: await newCaller(app, "admin") };
  return {
    tokenOf: async (attacker, path) => {
      if (attacker === "nobody") return null;
      const isSpoiled = /^\/(?:auth|_service\/(?:account|service-tokens))/.test(path);
      return isSpoiled ? newCaller(app, attacker === "member" ? null : "admin") : kept[attacker];
    },
  };
}

/** The token of an account that has just been made. */
async function newCaller(app: RunningApp, role: string | null): Promise<string> {
  const [account] = await app.db.query<{ id: string }>(
    `insert into service.users (id, name, email, role, email_verified_at)
     select id, 'Somebody', id || '@example.com', $1, now() from gen_random_uuid() id
     returning id`,
    [role],
  );
  return newSession(app.db, account?.id ?? "");
}
