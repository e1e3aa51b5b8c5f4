import type { Access } from "../../../db/index.js";
import { count, type Finding } from "../../report.js";
import { ok, warning } from "../finding.js";

const check = "autovacuum";

/** Maximum number of tables to name; any others are only counted. */
const maxNamed = 10;

interface Behind {
  readonly name: string;
  readonly dead: string;
  readonly live: string;
}

/** Finds tables of the app with more dead rows than autovacuum should have left. */
export async function checkAutovacuum(db: Pick<Access, "query">): Promise<readonly Finding[]> {
  const [off] = await db.query<{ name: string }>(
    `select name from pg_settings
     where name in ('autovacuum', 'track_counts') and setting = 'off'
     order by name`,
  );
  if (off !== undefined) {
    return [
      warning(
        check,
        `${off.name} is off: tables only grow, and queries become slow`,
        `run: npx service db psql -c 'alter system set ${off.name} = on' and npx service db psql -c 'select pg_reload_conf()'`,
      ),
    ];
  }
  const behind = await db.query<Behind>(tablesBehind);
  if (behind.length === 0) return [ok(check, "it keeps up with every table")];
  const shown = behind.slice(0, maxNamed).map(findingOf);
  const rest = behind.length - shown.length;
  if (rest === 0) return shown;
  return [...shown, warning(check, `${count(rest, "more table")} as well`, "then run this again")];
}

function findingOf({ name, dead, live }: Behind): Finding {
  return warning(
    check,
    `${name}: ${count(Number(dead), "dead row")} and ${live} live ones`,
    `run: npx service db psql -c 'vacuum (analyze) ${name}'; if it happens again: npx service db psql -c 'alter table ${name} set (autovacuum_vacuum_scale_factor = 0.02)'`,
  );
}

/**
 * Finds tables with more than twice as many dead rows as their threshold, by the settings of the table or the server. A
 * thousand dead rows are harmless.
 */
const tablesBehind = `
  select
    format('%I.%I', t.schemaname, t.relname) as name,
    t.n_dead_tup as dead,
    t.n_live_tup as live
  from pg_stat_user_tables as t
  join pg_class as c on c.oid = t.relid
  cross join lateral (
    select
      max(option_value) filter (where option_name = 'autovacuum_vacuum_threshold') as threshold,
      max(option_value) filter (where option_name = 'autovacuum_vacuum_scale_factor') as factor
    from pg_options_to_table(c.reloptions)
  ) as o
  where t.schemaname in ('public', 'service')
    and t.n_dead_tup > greatest(
      1000,
      2 * (
        coalesce(o.threshold, current_setting('autovacuum_vacuum_threshold'))::float8
        + coalesce(o.factor, current_setting('autovacuum_vacuum_scale_factor'))::float8
          * t.n_live_tup
      )
    )
    and not exists (select from pg_stat_progress_vacuum as p where p.relid = t.relid)
  order by t.n_dead_tup desc, name`;
