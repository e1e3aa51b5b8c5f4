import fc from "fast-check";
import type { AppOptions } from "service-runtime/app";
import { test } from "vitest";
import { type RuledApp, ruledApp, ruledRoles, ruledValues } from "../support/apps/ruled-apps.js";
import {
  appSignIn,
  authenticate,
  textCallers,
  withTextAccounts,
} from "../support/apps/text-accounts.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { client } from "../support/http/client.js";
import type { Record } from "../support/query-model.js";
import type { OwnPolicies, Ruled } from "../support/rights/model.js";
import { columnOf, dealer, type RuledCaller } from "../support/rights/request.js";
import { tryRequest } from "../support/rights/requests.js";
import { isHurried, isLong } from "../support/searches.js";

/** So many small apps are the resources of one server, which costs more to start than they to try. */
const appsAServer = isLong ? 12 : 4;
const servers = isLong && !isHurried ? 8 : isLong ? 2 : 1;
const serversOfTexts = isLong && !isHurried ? 3 : 1;
const requestsAnApp = 30;

/** Accounts are those of the package, or texts that a sign-in of the app's own gives. */
test.each([
  ...Array.from({ length: servers }, (_, at) => [at + 1, "ours"] as const),
  ...Array.from({ length: serversOfTexts }, (_, at) => [at + 1, "texts"] as const),
])(
  "in random apps no caller sees or changes more, or less, than the rules say (server %i, accounts: %s)",
  { timeout: 900_000 },
  async (seed, accounts) => {
    const apps = Array.from({ length: appsAServer }, (_, at) => at).flatMap((at) =>
      fc.sample(ruledApp(at), { seed: seed * 1_000 + at, numRuns: 1 }),
    );
    const server =
      accounts === "ours"
        ? await openServer(apps)
        : await openServerOfTexts(apps.map(withTextAccounts));
    try {
      for (const [at, app] of apps.entries()) {
        await tryApp(server, app, seed * 1_000 + at);
      }
    } finally {
      await server.close();
    }
  },
);

interface Server extends WrittenApp {
  readonly callers: readonly RuledCaller[];
}

async function openServer(apps: readonly RuledApp[]): Promise<Server> {
  const server = await startWrittenApp({ ...filesOf(apps), settings });
  const callers: RuledCaller[] = [];
  for (const role of ruledRoles) callers.push(await server.caller(role));
  const visitor = {
    id: "",
    role: null,
    isVisitor: true,
    client: client(server.url, null),
  } as const;
  return { ...server, callers: [...callers, visitor, visitor] };
}

async function openServerOfTexts(apps: readonly RuledApp[]): Promise<Server> {
  const files = filesOf(apps);
  const options = { ...files.options, authenticate };
  const server = await startWrittenApp({ ...files, options, settings: appSignIn });
  return { ...server, callers: textCallers(server.url) };
}

function filesOf(apps: readonly RuledApp[]) {
  const texts = apps.flatMap(({ descriptors }) =>
    [...descriptors].map(([name, one]) => [`${name}.json`, JSON.stringify(one)] as const),
  );
  const policies = Object.fromEntries(
    apps.flatMap((app) => Object.entries(app.policies)).map(([name, own]) => [name, forAll(own)]),
  ) as NonNullable<AppOptions["policies"]>;
  return { descriptors: new Map(texts), options: { policies } };
}

/** Without a token there is no caller, and no role. */
function forAll(policies: OwnPolicies[string]) {
  const entries = Object.entries(policies).map(([action, agrees]) => {
    const policy = (caller: { readonly role: string | null } | null, record: Record) =>
      agrees({ role: caller?.role ?? null }, record);
    return [action, policy] as const;
  });
  return Object.fromEntries(entries);
}

const settings = `auth: { check_breached_passwords: false }
server: { host: 127.0.0.1 }
limits: { public_create_per_client: 0 }
`;

async function tryApp(server: Server, app: RuledApp, seed: number): Promise<void> {
  const { db, callers } = server;
  // In the order in which records can be made.
  const described = [...app.descriptors.keys()].flatMap((name) =>
    server.described.filter((one) => one.name === name),
  );
  await fill(server, described);
  const ids = callers.flatMap(({ id, isVisitor }) => (isVisitor ? [] : [id]));
  const values = { ...ruledValues, accountId: ids, userId: ids };
  const world = { db, described, callers, policies: app.policies, values };
  const numbers = fc.array(fc.nat(1_000), { minLength: 24, maxLength: 24 });
  for (const [at, wish] of fc.sample(numbers, { seed, numRuns: requestsAnApp }).entries()) {
    try {
      await tryRequest(world, dealer(wish));
    } catch (error) {
      const text = JSON.stringify([...app.descriptors]);
      throw new Error(`seed ${seed}, request ${at}, of the app ${text}`, { cause: error });
    }
  }
}

/** A few records of each resource, of three owners or two groups, and some that the link above leaves empty. */
async function fill({ db, callers }: Server, described: readonly Ruled[]): Promise<void> {
  const owners = callers.slice(0, 3).map(({ id }) => id);
  for (const { name, fields } of described) {
    const links = fields.filter(
      ({ type, name }) => type === "belongsTo" || ["accountId", "userId"].includes(name),
    );
    const values = links.map(({ name: link, type, resource, required }) => {
      const accounts = type === "string" ? "$1::text[]" : "$1::text[]::uuid[]";
      if (link === "accountId") return `(${accounts})[1 + n % ${required ? 3 : 4}]`;
      if (link === "userId") return `(${accounts})[1 + n / 2]`;
      const which = link === "groupId" ? "n % 2" : "n * 5 % 4";
      return `(select (array_agg(id order by id))[1 + ${which}] from ${resource})`;
    });
    const hasRole = fields.some((field) => field.name === "role");
    const own = hasRole
      ? [["role", "(array['lead', 'member', 'member', 'lead', 'lead'])[1 + n]"]]
      : [
          ["title", "(array['tea', 'coffee'])[1 + n % 2]"],
          ["code", "case when n < 3 then 'c' || n end"],
          ["colour", "(array['red', 'green', 'red', null])[1 + n % 4]"],
          ["remark", "(array['tea', null])[1 + n % 2]"],
          ["stars", "n % 3"],
          ["done", "n % 2 = 0"],
        ];
    const columns = [...links.map((link) => columnOf(link.name)), ...own.map(([column]) => column)];
    await db.query(
      `insert into ${name} (${["id", ...columns].join(", ")})
       select ${["gen_random_uuid()", ...values, ...own.map(([, value]) => value)].join(", ")}
       from generate_series(0, 4) as n
       where $1::text[] is not null`,
      [owners],
    );
  }
}
