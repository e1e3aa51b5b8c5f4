import type { Check } from "./check.js";
import { middle } from "./figure.js";
import type { Seeded } from "./seed.js";
import { ratioText } from "./table.js";
import { send, warmUp } from "./workers.js";
import { startWorkers, type WorkersServer } from "./workers-server.js";

const workers = 4;

/** Together they leave the other servers' connections alone. */
const pool = "database: { pool_size: 6 }\n";

const limits = "limits: { per_token: 1000000/min, per_client: 1000000/min }\n";

/** Two servers that are alike differ by up to a tenth until they end, so several are started. */
const starts = 5;

/** Of rounds, with each two servers. */
const pairs = 15;

/** Requests of a round: some 0.4 s of them, since the machine's speed changes within seconds. */
const amount = 2_500;

/** Nobody is refused, and each request is counted for two keys over all processes. */
export const limitsWithWorkers: Check = {
  name: "GET one's processor time with limits, four workers",
  async run({ shop }) {
    const { seeded } = await shop(10_000);
    const ratios: number[] = [];
    for (let start = 0; start < starts; start += 1) ratios.push(await ratioOfTwo(seeded));
    const ratio = middle(ratios);
    const range = `${ratioText(Math.min(...ratios))} to ${ratioText(Math.max(...ratios))}`;
    const measured = `${ratioText(ratio)} × without (${range})`;
    const met = ratio <= 1.6;
    return [{ name: limitsWithWorkers.name, measured, target: "≤ 1.6 ×", met }];
  },
};

async function ratioOfTwo(seeded: Seeded): Promise<number> {
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
    return middle(ratios);
  } finally {
    for (const server of servers) await server.stop();
  }
}

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
