import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../../config/index.js";
import type { Access } from "../../../db/index.js";
import { withConnection } from "../../app/connection.js";
import type { Finding } from "../../report.js";
import { ok, problem } from "../finding.js";

/** Several attempts, because another client of the proxy may get a connection between two statements of this check. */
const tries = 5;

/** Checks whether a proxy pools by transaction, which rules out prepared statements; no finding without a proxy. */
export async function checkPooling(config: Config): Promise<readonly Finding[]> {
  // No statement is prepared, regardless of the configuration: the address may be that of such a proxy.
  const database = { ...config.database, prepare: false };
  const isPooled = await withConnection({ database }, (one) =>
    withConnection({ database }, (other) => sharesConnections(one, other)),
  );
  if (!isPooled) return [];
  if (!config.database.prepare) {
    return [
      ok("pooling", "a proxy pools by transaction; give migrate PostgreSQL's own DATABASE_URL"),
    ];
  }
  return [
    problem(
      "pooling",
      "statements are prepared, but a proxy pools by transaction: they run on connections that did not prepare them",
      "set database.prepare: false in service.yaml, and the settings of the role that docs/configuration.md names",
    ),
  ];
}

/** Two connected clients have separate sessions, unless a proxy assigns the same one to both in turn. */
async function sharesConnections(one: Session, other: Session): Promise<boolean> {
  for (let left = tries; left > 0; left -= 1) {
    if ((await sessionOf(one)) === (await sessionOf(other))) return true;
    await sleep(10);
  }
  return false;
}

type Session = Pick<Access, "query">;

async function sessionOf(db: Session): Promise<number> {
  const [row] = await db.query<{ pid: number }>("select pg_backend_pid() as pid");
  if (row === undefined) throw new Error("PostgreSQL did not name the session");
  return row.pid;
}
