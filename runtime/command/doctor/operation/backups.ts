import { hasContents, lastBackup } from "../../../backup/index.js";
import { systemClock } from "../../../clock/index.js";
import type { Access } from "../../../db/index.js";
import { count, dayOf, type Finding } from "../../report.js";
import { ok, warning } from "../finding.js";

const check = "backups";

const dayMs = 86_400_000;
/** Number of days after which the last backup counts as old. */
const tolerated = 7;

/** Checks whether there is a recent backup of the database; no finding if the database is empty. */
export async function checkBackups(
  db: Pick<Access, "query">,
  now: number = systemClock.now().getTime(),
): Promise<readonly Finding[]> {
  const last = await lastBackup(db);
  if (last === null) {
    return (await hasContents(db))
      ? [
          warning(
            check,
            "service backup has not made a backup yet",
            `unless backups are made in another way, ${fix}`,
          ),
        ]
      : [];
  }
  const days = Math.floor((now - last.getTime()) / dayMs);
  const found = `the last one is from ${dayOf(last)}`;
  return days <= tolerated
    ? [ok(check, found)]
    : [warning(check, `${found}, ${count(days, "day")} ago`, fix)];
}

const fix = "make one each night: npx service backup app.backup --encrypt";
