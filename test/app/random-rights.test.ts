import fc from "fast-check";
import type { AppOptions } from "service/runtime/app";
import { test } from "vitest";
import { type RuledApp, ruledApp, ruledRoles, ruledValues } from "../support/apps/ruled-apps.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Ruled } from "../support/rights/model.js";
import { dealer, type RuledCaller } from "../support/rights/request.js";
import { tryRequest } from "../support/rights/requests.js";
import { isLong } from "../support/searches.js";

/** So many small apps are the resources of one server, which costs more to start than they to try. */
const appsAServer = isLong ? 20 : 8;
const servers = isLong ? 15 : 1;
const requestsAnApp = 30;

test.each(Array.from({ length: servers }, (_, at) => at + 1))(
  "in random apps nobody sees or changes more, or less, than the rules say (server %i)",
  { timeout: isLong ? 900_000 : 240_000 },
  async (seed) => {
    const apps = Array.from({ length: appsAServer }, (_, at) => at).flatMap((at) =>
      fc.sample(ruledApp(at), { seed: seed * 1_000 + at, numRuns: 1 }),
    );
    const server = await openServer(apps);
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
  const texts = apps.flatMap(({ descriptors }) =>
    [...descriptors].map(([name, one]) => [`${name}.json`, JSON.stringify(one)] as const),
  );
  const policies = Object.assign({}, ...apps.map((app) => app.policies)) as NonNullable<
    AppOptions["policies"]
  >;
  const server = await startWrittenApp({ descriptors: new Map(texts), options: { policies } });
  const callers: RuledCaller[] = [];
  for (const role of ruledRoles) callers.push(await server.caller(role));
  return { ...server, callers };
}

async function tryApp(server: Server, app: RuledApp, seed: number): Promise<void> {
  const { db, callers } = server;
  const described = server.described.filter(({ name }) => app.descriptors.has(name));
  await fill(server, described);
  const world = { db, described, callers, policies: app.policies, values: ruledValues };
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

/** A few records of each resource, of three owners, and some that the link above leaves empty. */
async function fill({ db, callers }: Server, described: readonly Ruled[]): Promise<void> {
  const owners = callers.slice(0, 3).map(({ id }) => id);
  for (const { name, fields } of described) {
    const links = fields.filter(({ type }) => type === "belongsTo");
    const columns = links.map((link) => (link.name === "accountId" ? "account_id" : "parent_id"));
    const values = links.map(({ name: link, resource }) =>
      link === "accountId"
        ? "($1::uuid[])[1 + n % 3]"
        : `(select (array_agg(id order by id))[1 + n * 5 % 4] from ${resource})`,
    );
    await db.query(
      `insert into ${name} (${["id", ...columns].join(", ")}, title, code, colour, remark, stars, done)
       select
         ${["gen_random_uuid()", ...values].join(", ")},
         (array['tea', 'coffee'])[1 + n % 2],
         case when n < 3 then 'c' || n end,
         (array['red', 'green', 'red', null])[1 + n % 4],
         (array['tea', null])[1 + n % 2],
         n % 3,
         n % 2 = 0
       from generate_series(0, 4) as n
       where $1::uuid[] is not null`,
      [owners],
    );
  }
}
