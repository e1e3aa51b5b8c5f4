import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect } from "vitest";

/** Cancels commits that wait for a standby; a row for each. */
export const cancelCommits =
  "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'";

/** Does the work while commits wait for a synchronous standby, which does not exist. */
export async function withoutStandby(url: string, work: () => Promise<void>): Promise<void> {
  const [admin, probe] = await Promise.all([connect(url), connect(url)]);
  const until = async (isWaiting: boolean) => {
    await admin.query("select pg_reload_conf()");
    // The checkpointer tells all connections, at once or when it has finished what it does.
    await expect.poll(() => isAwaited(admin, probe)).toBe(isWaiting);
  };
  try {
    await admin.query("alter system set synchronous_standby_names = 'nobody'");
    await until(true);
    await work();
  } finally {
    await admin.query("alter system reset synchronous_standby_names");
    await until(false);
    await Promise.all([admin.end(), probe.end()]);
  }
}

/** Whether a commit waits; all that do are cancelled then, until it is over. */
async function isAwaited(admin: pg.Client, probe: pg.Client): Promise<boolean> {
  let isOver = false;
  let hasWaited = false;
  const commit = probe.query("select pg_logical_emit_message(true, 'probe', '')").finally(() => {
    isOver = true;
  });
  for (; !isOver; await sleep(5)) {
    if ((await admin.query(cancelCommits)).rowCount !== 0) hasWaited = true;
  }
  await commit;
  return hasWaited;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
