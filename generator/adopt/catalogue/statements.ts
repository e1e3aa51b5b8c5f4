/** Selects the names among `$1` that are not schemas. */
export const missingSchemasSql = `
select name from unnest($1::text[]) with ordinality as wanted (name, place)
where not exists (select from pg_namespace where nspname = name)
order by place`;

/** Selects at most `$2` relations of the schemas `$1`, without partitions and relations of extensions. */
export const tablesSql = `
select c.oid, n.nspname::text as schema, c.relname::text as name,
  case c.relkind when 'r' then 'table' when 'p' then 'partitioned' when 'v' then 'view'
    when 'm' then 'materialized-view' else 'foreign' end as kind,
  obj_description(c.oid, 'pg_class') as comment,
  row_security_active(c.oid) as "hasRowSecurity",
  exists (select from pg_rewrite r where r.ev_class = c.oid and r.rulename <> '_RETURN') as "hasRules",
  c.relkind in ('r', 'f') and exists (
    select from pg_inherits i where c.oid in (i.inhrelid, i.inhparent)
  ) as inherits,
  exists (select from pg_subscription_rel s where s.srrelid = c.oid) as "isReplicated",
  pg_has_role(c.relowner, 'usage') as "isOwned",
  array(
    select p from unnest(array['select', 'insert', 'update', 'delete']) with ordinality as u (p, place)
    where has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, p)
    order by place
  ) as rights
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where n.nspname = any ($1::text[])
  and c.relkind in ('r', 'p', 'v', 'm', 'f')
  and not c.relispartition
  and c.relpersistence <> 't'
  and not exists (
    select from pg_depend d
    where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
  )
order by n.nspname collate "C", c.relname collate "C"
limit $2`;

/** Selects the columns of the relations `$1`, resolving domains and array element types. */
export const columnsSql = `
with recursive layer as (
  select a.attrelid, a.attnum, a.atttypid as type, a.atttypmod as modifier,
    false as "isArray", false as refuses, null::text as fallback, null::text as domain, 0 as depth
  from pg_attribute a
  where a.attrelid = any ($1::oid[]) and a.attnum > 0 and not a.attisdropped
  union all
  select l.attrelid, l.attnum,
    case when t.typtype = 'd' then t.typbasetype else t.typelem end,
    case when t.typtype = 'd' and t.typtypmod >= 0 then t.typtypmod else l.modifier end,
    l."isArray" or t.typtype <> 'd',
    l.refuses or (t.typtype = 'd' and t.typnotnull and not l."isArray"),
    case when l."isArray" then l.fallback else coalesce(l.fallback, t.typdefault) end
      collate "default",
    coalesce(l.domain, case when t.typtype = 'd' then n.nspname || '.' || t.typname end)
      collate "default",
    l.depth + 1
  from layer l
  join pg_type t on t.oid = l.type
  join pg_namespace n on n.oid = t.typnamespace
  where t.typtype = 'd' or (t.typcategory = 'A' and t.typelem <> 0)
), base as (
  select distinct on (attrelid, attnum) * from layer order by attrelid, attnum, depth desc
)
select a.attrelid as oid, a.attnum as number, a.attname::text as name,
  format_type(a.atttypid, a.atttypmod) as declared, format_type(b.type, b.modifier) as base,
  quote_ident(n.nspname) || '.' || quote_ident(t.typname) as qualified, b."isArray", b.domain,
  case when t.typtype = 'e' then array(
    select e.enumlabel::text from pg_enum e where e.enumtypid = b.type order by e.enumsortorder
  ) end as values,
  not (a.attnotnull or b.refuses) as "isNullable",
  case when a.attgenerated = '' then coalesce(pg_get_expr(d.adbin, d.adrelid), b.fallback) end as default,
  case a.attidentity when 'a' then 'always' when 'd' then 'by-default' end as identity,
  a.attgenerated <> '' as "isGenerated",
  col_description(a.attrelid, a.attnum) as comment
from base b
join pg_attribute a on a.attrelid = b.attrelid and a.attnum = b.attnum
join pg_type t on t.oid = b.type
join pg_namespace n on n.oid = t.typnamespace
left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
order by a.attrelid, a.attnum`;

/** Selects the constraints of the relations `$1`, except not-null constraints, which are properties of columns. */
export const constraintsSql = `
select c.conrelid as oid, c.conname::text as name,
  case c.contype when 'p' then 'primary' when 'u' then 'unique' when 'f' then 'foreign'
    when 'c' then 'check' else 'exclusion' end as kind,
  coalesce(c.conkey, '{}') as columns, pg_get_constraintdef(c.oid) as definition,
  case when c.contype = 'f' then json_build_object(
    'schema', n.nspname, 'table', t.relname, 'columns', c.confkey,
    'columnNames', array(
      select a.attname::text
      from unnest(c.confkey) with ordinality as k (number, place)
      join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.number
      order by k.place
    ),
    'onDelete', case c.confdeltype when 'c' then 'cascade' when 'n' then 'clear'
      when 'd' then 'default' else 'refuse' end
  ) end as target
from pg_constraint c
left join pg_class t on t.oid = c.confrelid
left join pg_namespace n on n.oid = t.relnamespace
where c.conrelid = any ($1::oid[]) and c.contype in ('p', 'u', 'f', 'c', 'x')
order by c.conrelid, c.conname collate "C"`;

/** Selects the valid indexes of the relations `$1`. */
export const indexesSql = `
select i.indrelid as oid, c.relname::text as name, i.indisunique as "isUnique",
  (i.indkey::int2[])[0:i.indnkeyatts - 1] as columns, i.indpred is not null as "isPartial",
  pg_get_indexdef(i.indexrelid) as definition
from pg_index i
join pg_class c on c.oid = i.indexrelid
where i.indrelid = any ($1::oid[]) and i.indisvalid
order by i.indrelid, c.relname collate "C"`;

/** Selects the enabled triggers of the relations `$1`, except those of constraints. */
export const triggersSql = `
select t.tgrelid as oid, t.tgname::text as name, pg_get_triggerdef(t.oid) as definition
from pg_trigger t
where t.tgrelid = any ($1::oid[]) and not t.tgisinternal and t.tgenabled <> 'D'
order by t.tgrelid, t.tgname collate "C"`;
