/** SQL for the tables and views that each view reads. */
export const viewPart = `
  select distinct r.ev_class as view, d.refobjid as relation
  from pg_rewrite r
  join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass
  join pg_class c on c.oid = d.refobjid and c.relkind in ('r', 'p', 'v', 'm', 'f')
  where d.refobjid <> r.ev_class
`;

/** Selects the tables and views that the views named `$2` in the schemas `$1` need, whether adopted or not. */
export const neededSql = `
with recursive view_part as (${viewPart}), needed as (
  select c.oid
  from unnest($1::text[], $2::text[]) as wanted (schema, name)
  join pg_namespace n on n.nspname = wanted.schema
  join pg_class c on c.relnamespace = n.oid and c.relname = wanted.name and c.relkind in ('v', 'm')
  union
  select v.relation from needed join view_part v on v.view = needed.oid
)
select n.nspname::text as schema, c.relname::text as name
from needed
join pg_class c using (oid)
join pg_namespace n on n.oid = c.relnamespace
where n.nspname not in ('pg_catalog', 'information_schema', 'service') and c.relkind in ('r', 'p', 'v', 'm')
  and not exists (
    select from pg_depend d
    where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
  )
order by n.nspname collate "C", c.relname collate "C"`;
