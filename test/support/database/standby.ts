import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** Cancels commits that wait for a standby; a row for each. */
export const cancelCommits =
  "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'";

/**
 * Does the work while commits wait for a synchronous standby, which does not exist. The checkpointer tells all
 * connections so, at once or when it has finished what it does: it is waited for.
 */
export async function withoutStandby(url: string, work: () => Promise<void>): Promise<void> {
  const [admin, probe] = await Promise.all([connect(url), connect(url)]);
  await admin.query("alter system set synchronous_standby_names = 'nobody'");
  await admin.query("select pg_reload_conf()");
  try {
    while (!(await isAwaited(admin, probe))) await sleep(20);
    await work();
  } finally {
    await admin.query("alter system reset synchronous_standby_names");
    await admin.query("select pg_reload_conf()");
    await Promise.all([admin.end(), probe.end()]);
  }
}

/** Whether a commit waits; it is cancelled then. */
async function isAwaited(admin: pg.Client, probe: pg.Client): Promise<boolean> {
  let isOver = false;
  const commit = probe.query("select pg_logical_emit_message(true, 'probe', '')").finally(() => {
    isOver = true;
  });
  for (; !isOver; await sleep(5)) {
    const { rowCount } = await admin.query(cancelCommits);
    if (rowCount === 0) continue;
    await commit;
    return true;
  }
  await commit;
  return false;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
