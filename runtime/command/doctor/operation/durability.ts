import type { Access } from "../../../db/index.js";
import type { Finding } from "../../report.js";
import { ok, warning } from "../finding.js";

const check = "durability";

interface Setting {
  readonly name: string;
  readonly setting: string;
  /** The origin of the setting, such as `user` or `configuration file`. */
  readonly source: string;
  readonly role: string;
  readonly database: string;
}

/** Checks whether a crash loses acknowledged writes, and whether point-in-time recovery is possible. */
export async function checkDurability(db: Pick<Access, "query">): Promise<readonly Finding[]> {
  const settings = await db.query<Setting>(
    `select name, setting, source,
       quote_ident(current_user) as role, quote_ident(current_database()) as database
     from pg_settings
     where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'wal_level')
     order by name`,
  );
  const found = settings.flatMap(findingsOf);
  return found.length === 0 ? [ok(check, "acknowledged writes survive a crash")] : found;
}

/** The effect of a crash of the machine while a setting is off. */
const lossy: Readonly<Record<string, string>> = {
  fsync: "may destroy the database, not only its last writes",
  full_page_writes: "may leave pages of which only a part was written",
};

function findingsOf(one: Setting): readonly Finding[] {
  const { name, setting } = one;
  if (name === "synchronous_commit" && setting === "off") {
    return [
      warning(
        check,
        "synchronous_commit is off: a crash of PostgreSQL loses the last writes, although they were acknowledged",
        `run: ${correction(one)}`,
      ),
    ];
  }
  if (name in lossy && setting === "off") {
    return [
      warning(
        check,
        `${name} is off: a crash of the machine ${lossy[name]}`,
        `run: npx service db psql -c 'alter system set ${name} = on' and npx service db psql -c 'select pg_reload_conf()'`,
      ),
    ];
  }
  if (name === "wal_level" && setting === "minimal") {
    return [
      warning(
        check,
        "wal_level is minimal: there can be no replica, and no point-in-time recovery",
        "run: npx service db psql -c 'alter system set wal_level = replica', and restart PostgreSQL",
      ),
    ];
  }
  return [];
}

/**
 * Returns the statement that corrects a setting. If it was set for the role or the database, setting it for the whole
 * server has no effect.
 */
function correction({ source, role, database }: Setting): string {
  const psql = (statement: string) => `npx service db psql -c '${statement}'`;
  if (source === "user") return psql(`alter role ${role} reset synchronous_commit`);
  if (source === "database") return psql(`alter database ${database} reset synchronous_commit`);
  if (source === "database user") {
    return psql(`alter role ${role} in database ${database} reset synchronous_commit`);
  }
  return `${psql("alter system set synchronous_commit = on")} and ${psql("select pg_reload_conf()")}`;
}
