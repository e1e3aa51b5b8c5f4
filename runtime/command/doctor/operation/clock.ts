import { systemClock } from "../../../clock/index.js";
import type { Access } from "../../../db/index.js";
import type { Finding } from "../../report.js";
import { ok, warning } from "../finding.js";

const check = "clock";

/**
 * Maximum difference in milliseconds. One of the clocks sets the expiry of links, codes and sessions, and the other one
 * checks it.
 */
const tolerated = 2_000;

/** Checks whether the clocks of the machine and the database agree, within the precision of the round trip. */
export async function checkClock(db: Pick<Access, "query">): Promise<Finding> {
  const sent = systemClock.now().getTime();
  const [row] = await db.query<{ now: string }>(
    "select extract(epoch from clock_timestamp()) * 1000 as now",
  );
  const answered = systemClock.now().getTime();
  const theirs = Number(row?.now);
  const apart = Math.max(sent - theirs, theirs - answered, 0);
  if (apart <= tolerated) return ok(check, "the database's clock agrees with this machine's");
  const seconds = Math.round(apart / 1_000);
  const direction = theirs > answered ? "ahead of" : "behind";
  return warning(
    check,
    `the database's clock is ${seconds} s ${direction} this machine's`,
    "synchronize both with the same time servers: timedatectl set-ntp true",
  );
}
