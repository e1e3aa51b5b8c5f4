import type { Check } from "./check.js";
import type { Seeded } from "./seed.js";
import { ratioText } from "./table.js";
import { send, warmUp } from "./workers.js";
import { startWorkers, type WorkersServer } from "./workers-server.js";

const workers = 4;

/** Together they leave the other servers' connections alone. */
const pool = "database: { pool_size: 6 }\n";

const limits = "limits: { per_token: 1000000/min, per_client: 1000000/min }\n";

const pairs = 9;

/** Requests of a round, some three seconds of them. */
const amount = 20_000;

/** Nobody is refused, and each request is counted for two keys over all processes. */
export const limitsWithWorkers: Check = {
  name: "GET one's processor time with limits, four workers",
  async run({ shop }) {
    const { seeded } = await shop(10_000);
    const servers = [
      await startWorkers(seeded.url, workers, pool + limits),
      await startWorkers(seeded.url, workers, pool),
    ] as const;
    try {
      for (const server of servers) await sendTo(server, seeded, warmUp * workers);
      const ratios: number[] = [];
      for (let pair = 0; pair < pairs; pair += 1) {
        ratios.push(await ratioOf(servers, seeded, pair % 2 === 1));
      }
      const ratio = ratios.toSorted((one, other) => one - other)[pairs >> 1] ?? Number.NaN;
      const measured = `${ratioText(ratio)} × without`;
      const met = ratio <= 1.15;
      return [{ name: limitsWithWorkers.name, measured, target: "≤ 1.15 ×", met }];
    } finally {
      for (const server of servers) await server.stop();
    }
  },
};

/** How many times the first one's processor time is the other's, in rounds one after the other. */
async function ratioOf(
  [limited, plain]: readonly [WorkersServer, WorkersServer],
  seeded: Seeded,
  isPlainFirst: boolean,
): Promise<number> {
  if (!isPlainFirst) return (await spentBy(limited, seeded)) / (await spentBy(plain, seeded));
  const without = await spentBy(plain, seeded);
  return (await spentBy(limited, seeded)) / without;
}

/** Processor time of a round, in seconds. */
async function spentBy(server: WorkersServer, seeded: Seeded): Promise<number> {
  const before = server.busySeconds();
  await sendTo(server, seeded, amount);
  return server.busySeconds() - before;
}

function sendTo({ url }: WorkersServer, { ids, token }: Seeded, amount: number): Promise<unknown> {
  return send({ url, path: `/api/products/${ids[0]}`, token }, { amount });
}
