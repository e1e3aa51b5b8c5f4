-- Lists of links of resources with a trash. Entries of a list are deleted with the record that they
-- lead to, and kept with it in the trash: as links that its deletion has cleared, with their
-- positions ({"table", "column", "ids", "positions"}). The lists of a deleted record are kept in
-- its row.

-- The lists of a table, and those whose entries lead to it, found by the trigger that keeps their entries.
create function service.lists_of(table_name text)
returns table (entries regclass, own text, name text, target text)
language sql stable
set search_path = pg_catalog, pg_temp
begin atomic
  select tgrelid::regclass, own.relname, service.first_argument(tgargs), service.table_name(target.oid)
  from pg_trigger
  join pg_attribute as record_id on record_id.attrelid = tgrelid and record_id.attname = 'record_id'
  join pg_constraint as of_record
    on of_record.conrelid = tgrelid and of_record.contype = 'f' and of_record.conkey = array[record_id.attnum]
  join pg_class as own on own.oid = of_record.confrelid
  join pg_attribute as target_id on target_id.attrelid = tgrelid and target_id.attname = 'target_id'
  join pg_constraint as of_target
    on of_target.conrelid = tgrelid and of_target.contype = 'f' and of_target.conkey = array[target_id.attnum]
  join pg_class as target on target.oid = of_target.confrelid
  where tgname = 'entries_trash'
    and to_regclass(service.table_sql(table_name)) in (own.oid, target.oid);
end;

-- Keeps deleted entries with the records that they led to, if these have just been moved to the trash. The trigger's argument
-- is the column of the list.
create function service.keep_deleted_entries() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  own text;
  target text;
begin
  select
    max(service.table_name(confrelid)) filter (where attname = 'record_id'),
    max(service.table_name(confrelid)) filter (where attname = 'target_id')
  into own, target
  from pg_constraint
  join pg_attribute on attrelid = conrelid and attnum = conkey[1]
  where conrelid = tg_relid and contype = 'f';
  update service.trash
  set cleared = coalesce(cleared, '[]') || jsonb_build_object(
    'table', own, 'column', tg_argv[0], 'ids', lost.ids, 'positions', lost.positions
  )
  from (
    select target_id, jsonb_agg(record_id order by record_id) as ids, jsonb_agg(position order by record_id) as positions
    from old_rows
    group by target_id
  ) as lost
  where trash.table_name = target and trash.id = lost.target_id and trash.tx = pg_current_xact_id();
  return null;
end
$$;

-- Removes entries whose targets no longer exist from the list of a restored record. The arguments are the column and its
-- entries.
create function service.restore_list() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  list uuid[];
begin
  execute format(
    'select array(
       select listed.id
       from unnest(($1).%I) with ordinality as listed (id, at)
       join %s as target on target.id = listed.id
       order by at
       for key share of target
     )',
    tg_argv[0],
    (
      select confrelid::regclass
      from pg_constraint
      join pg_attribute on attrelid = conrelid and attnum = conkey[1]
      where conrelid = to_regclass(format('public.%I', tg_argv[1])) and contype = 'f' and attname = 'target_id'
    )
  )
  into list
  using new;
  return jsonb_populate_record(new, jsonb_build_object(tg_argv[0], to_jsonb(list)));
end
$$;

-- Restores entries of lists at their positions once their records and targets are restored. An
-- entry whose record is in the trash returns to its list there. A list that was a single link at
-- the time has no positions: it had only one entry.
create function service.restore_entries() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  list record;
begin
  -- Lists of the restored records that lead to others of them.
  for list in
    select entries, own, name, target
    from (select distinct table_name from old_rows) as kept
    cross join lateral service.lists_of(kept.table_name)
    where own = kept.table_name and target in (select table_name from old_rows)
    order by own, name
  loop
    execute format(
      'insert into %1$s as entry (record_id, target_id, position)
       select kept.id, listed.id::uuid, listed.at
       from old_rows as kept
       cross join unnest(service.elements_of(kept.image -> %2$L)) with ordinality as listed (id, at)
       where kept.table_name = %3$L
         and exists (select from %5$s as target where target.id = listed.id::uuid)
         and exists (
           select
           from unnest(service.elements_of(kept.image -> %2$L)) as other
           join old_rows as linked on linked.table_name = %4$L and linked.id = other::uuid
         )
       order by kept.id
       on conflict (record_id, target_id) do update
       set position = excluded.position
       where entry.position <> excluded.position',
      list.entries, list.name, list.own, list.target, service.table_sql(list.target)
    );
  end loop;

  -- Lists that had entries for the restored records.
  for list in
    select lists.entries, lists.own, lists.name, lists.target
    from (
      select distinct table_name, link ->> 'table' as own, link ->> 'column' as name
      from old_rows
      cross join jsonb_array_elements(cleared) as link
    ) as lost
    cross join lateral service.lists_of(lost.table_name) as lists
    where lists.own = lost.own and lists.name = lost.name and lists.target = lost.table_name
    order by own, name
  loop
    -- Others may write these lists.
    execute format(
      'select from public.%1$I
       where id in (
         select one::uuid
         from old_rows
         cross join jsonb_array_elements(cleared) as link
         cross join jsonb_array_elements_text(link -> ''ids'') as one
         where table_name = %2$L and link @> %3$L
       )
       order by id
       for no key update',
      list.own, list.target, jsonb_build_object('table', list.own, 'column', list.name)
    );
    -- An entry whose position has been taken is placed before the entry that has it.
    execute format(
      'with lost as materialized (
         select one.record_id::uuid as record_id, kept.id as target_id, coalesce(one.position::integer, 1) as position
         from old_rows as kept
         cross join jsonb_array_elements(kept.cleared) as link
         cross join rows from (
           jsonb_array_elements_text(link -> ''ids''), jsonb_array_elements_text(link -> ''positions'')
         ) as one (record_id, position)
         join public.%2$I as own on own.id = one.record_id::uuid
         where kept.table_name = %3$L and link @> %4$L
           and not exists (
             select from %1$s as entry where entry.record_id = own.id and entry.target_id = kept.id
           )
       ),
       moved as (
         select distinct record_id from lost join %1$s using (record_id, position)
       ),
       ordered as (
         select record_id, target_id, row_number() over (
           partition by record_id order by position, is_there, target_id
         ) as position
         from (
           select lost.*, false as is_there from lost
           union all
           select record_id, target_id, position, true from %1$s
         ) as entry
         where record_id in (select record_id from moved)
       )
       insert into %1$s as entry (record_id, target_id, position)
       select record_id, target_id, position from ordered
       union all
       select record_id, target_id, position from lost where record_id not in (select record_id from moved)
       on conflict (record_id, target_id) do update
       set position = excluded.position
       where entry.position <> excluded.position',
      list.entries, list.own, list.target, jsonb_build_object('table', list.own, 'column', list.name)
    );
    update service.trash
    set image = trash.image || jsonb_build_object(list.name, (
      select jsonb_agg(entry.id order by entry.position, entry.is_there)
      from (
        select to_jsonb(one) as id, at::integer as position, true as is_there
        from unnest(service.elements_of(trash.image -> list.name)) with ordinality as there (one, at)
        union all
        select to_jsonb(lost.target_id), lost.position, false
        from unnest(back.targets, back.positions) as lost (target_id, position)
        where not trash.image -> list.name ? lost.target_id::text
      ) as entry
    ))
    from (
      select one.record_id::uuid as record_id, array_agg(kept.id) as targets, array_agg(coalesce(one.position::integer, 1)) as positions
      from old_rows as kept
      cross join jsonb_array_elements(kept.cleared) as link
      cross join rows from (
        jsonb_array_elements_text(link -> 'ids'), jsonb_array_elements_text(link -> 'positions')
      ) as one (record_id, position)
      where kept.table_name = list.target
        and link @> jsonb_build_object('table', list.own, 'column', list.name)
      group by one.record_id
    ) as back
    where trash.table_name = list.own and trash.id = back.record_id and trash.image ? list.name;
  end loop;
  return null;
end
$$;

revoke execute on function service.keep_deleted_entries(), service.restore_list(), service.restore_entries() from public;

create trigger restore_entries after delete on service.trash
  referencing old table as old_rows
  for each statement when (current_setting('service.trash', true) = 'restore')
  execute function service.restore_entries();

-- Keeps the column and the entries in sync from now on, and deleted entries with their targets.
create procedure service.keep_entries(table_name text, column_name text, entries text)
language plpgsql
as $$
begin
  call service.keep_list(table_name, column_name, entries);
  execute format(
    $triggers$
      create or replace trigger entries_trash after delete on public.%1$I
        referencing old table as old_rows
        for each statement execute function service.keep_deleted_entries(%2$L);
      create or replace trigger %3$I before insert on public.%4$I
        for each row when (new.%2$I <> '{}' and current_setting('service.trash', true) = 'restore')
        execute function service.restore_list(%2$L, %1$L);
    $triggers$,
    entries, column_name, service.entries_function(entries, 'restore'), table_name
  );
end
$$;

create procedure service.leave_entries(table_name text, entries text)
language plpgsql
as $$
begin
  call service.leave_list(table_name, entries);
  execute format('drop trigger %I on public.%I', service.entries_function(entries, 'restore'), table_name);
end
$$;

-- As before, without the triggers of the package, which execute functions of its schema.
create or replace function service.objects_on(table_name text, column_name text, own text[])
returns table (object text)
language sql stable
begin atomic
  with place as (
    select attrelid, attnum, attacl
    from pg_attribute
    where attrelid = format('public.%I', table_name)::regclass
      and attname = column_name
      and not attisdropped
  ),
  dependent as (
    select classid, objid, objsubid
    from place
    join pg_depend
      on refclassid = 'pg_class'::regclass and refobjid = attrelid and refobjsubid = attnum
    where not exists (
        select
        from pg_constraint
        where classid = 'pg_constraint'::regclass
          and oid = objid
          and conrelid = attrelid
          and (contype = 'n' or conname = any (own))
      )
      and not exists (
        select
        from pg_index
        join pg_class on pg_class.oid = indexrelid
        where classid = 'pg_class'::regclass
          and indexrelid = objid
          and indrelid = attrelid
          and relname = any (own)
      )
      and not exists (
        select
        from pg_trigger
        join pg_proc on pg_proc.oid = tgfoid
        where classid = 'pg_trigger'::regclass
          and pg_trigger.oid = objid
          and pronamespace = 'service'::regnamespace
      )
      and not exists (
        select
        from pg_attrdef
        where classid = 'pg_attrdef'::regclass
          and oid = objid
          and adrelid = attrelid
          and adnum = attnum
      )
  ),
  described as (
    -- A view depends by its rule, a generated column by what it is generated from.
    select
      case
        when ev_class is not null then pg_describe_object('pg_class'::regclass, ev_class, 0)
        when adrelid is not null then pg_describe_object('pg_class'::regclass, adrelid, adnum)
        else pg_describe_object(classid, objid, objsubid)
      end as object
    from dependent
    left join pg_rewrite
      on classid = 'pg_rewrite'::regclass and pg_rewrite.oid = objid and rulename = '_RETURN'
    left join pg_attrdef on classid = 'pg_attrdef'::regclass and pg_attrdef.oid = objid
    union
    select
      'privileges of ' || case grantee when 0 then 'public' else grantee::regrole::text end
    from place
    cross join aclexplode(attacl)
    union
    select 'comment on ' || pg_describe_object('pg_class'::regclass, attrelid, attnum)
    from place
    where col_description(attrelid, attnum) is not null
    union
    -- Of the index that tells rows apart in logical replication, its owner's or not.
    select 'replica identity of ' || pg_describe_object('pg_class'::regclass, attrelid, 0)
    from place
    join pg_index on indrelid = attrelid and indisreplident and attnum = any (indkey)
  )
  select described.object from described order by described.object collate "C";
end;
