-- The trash of records whose ids are integers or texts, and cascades between records with ids of different types. As in the
-- log, `id` is a UUID made of such an id, which itself is in `key`. In the links that a deletion has cleared, `key` is the
-- column of the ids of the table, if that is not `id`.

alter table service.trash add column key text;

-- The UUID by which the trash has a record with this id, of a column of that type.
create function service.kept_id(value text, type oid) returns uuid
language sql immutable parallel safe
return case type
  when 'uuid'::regtype then value::uuid
  when 'bpchar'::regtype then service.id_of_key(rtrim(value, ' '))
  else service.id_of_key(value)
end;

-- The author of a row in the setting `service.account`, by the row's id; see service.writing_account.
create function service.writing_account_of(key text) returns uuid
language sql stable
return (service.writer_of(service.written_for(current_setting('service.account', true), key), null)).account;

-- Like service.keep_deleted, for ids that are no UUIDs in a column `id`. The arguments are the name of the resource, empty if
-- its changes are not logged, the column of the ids, and how that is read; see service.key_kind.
create function service.keep_keyed() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
declare
  own_name constant text := service.table_name(tg_relid);
  own_type constant oid := case tg_argv[2]
    when 'uuid' then 'uuid'::regtype when 'character' then 'bpchar'::regtype else 'text'::regtype
  end;
  is_skipped boolean := current_setting('service.trash', true) = 'skip';
  written text := current_setting('service.account', true);
  links text[];
  types oid[];
  targets text[];
  relations oid[];
  keys text[];
  files text[];
  clearing text;
  cleared jsonb;
  lost uuid[];
begin
  if to_jsonb(old) -> tg_argv[1] <> (select to_jsonb(old_rows) -> tg_argv[1] from old_rows limit 1) then
    return null;
  end if;
  if is_skipped then
    perform service.empty_trash(array_agg(
      own_name || '/' || service.kept_id(to_jsonb(old_rows) ->> tg_argv[1], own_type)
    ))
    from old_rows;
  else
    select
      array_agg(attname order by attname) filter (where conrelid = tg_relid and confdeltype = 'c'),
      array_agg(atttypid order by attname) filter (where conrelid = tg_relid and confdeltype = 'c'),
      array_agg(named.table_name order by attname) filter (where conrelid = tg_relid and confdeltype = 'c'),
      array_agg(confrelid order by attname) filter (where conrelid = tg_relid and confdeltype = 'c'),
      array_agg(named.key order by attname) filter (where conrelid = tg_relid and confdeltype = 'c'),
      array_agg(attname order by attname) filter (where confrelid = 'service.uploads'::regclass),
      string_agg(
        format(
          'select %1$L as table_name, %2$L as name, %2$I::text as target, jsonb_agg(%4$I::text order by %4$I) as ids,
             nullif(%4$L, ''id'') as key
           from %3$s
           where %2$I = any ($1::%5$s[])
           group by %2$I',
          named.table_name, attname, service.table_sql(named.table_name), named.key, format_type(atttypid, null)
        ),
        ' union all ' order by named.table_name, attname
      ) filter (where tgfoid = '"RI_FKey_setnull_del"'::regproc)
    into links, types, targets, relations, keys, files, clearing
    from pg_trigger
    join pg_constraint on pg_constraint.oid = tgconstraint
    join pg_class on pg_class.oid = tgconstrrelid
    cross join lateral (
      select service.table_name(tgconstrrelid) as table_name, service.row_key(tgconstrrelid) as key offset 0
    ) as named
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where tgrelid = tg_relid
      and case tgfoid
        when '"RI_FKey_check_ins"'::regproc
        then confrelid = 'service.uploads'::regclass
          or confdeltype = 'c'
            and case atttypid
              when 'uuid'::regtype
              then relnamespace in ('public'::regnamespace, 'service'::regnamespace)
                or exists (select from service.tallies where tallies.table_name = named.table_name)
              else service.has_keyed_trash(confrelid, confkey[1])
            end
        when '"RI_FKey_setnull_del"'::regproc
        then relnamespace <> 'service'::regnamespace
          and exists (select from service.tallies where tallies.table_name = named.table_name)
      end;

    -- Rows that belong to an account, or to a record deleted with one.
    if links is not null and current_setting('service.trash_of_accounts', true) = 'true' then
      for at in 1..cardinality(links) loop
        execute format(
          'select $1 || array(
             select service.kept_id(to_jsonb(old_rows) ->> $2, $3)
             from old_rows
             where %1$I is not null
               and not exists (select from %2$s as target where target.%4$I = old_rows.%1$I)
               and not exists (
                 select
                 from service.trash
                 where table_name = %3$L
                   and trash.id = service.kept_id(old_rows.%1$I::text, %5$s::oid)
                   and tx = pg_current_xact_id()
               )
           )',
          links[at], relations[at]::regclass, targets[at], keys[at], types[at]
        )
        into lost
        using lost, tg_argv[1], own_type;
      end loop;
      perform service.empty_trash(array_agg(own_name || '/' || id)) from unnest(lost) as id;
    end if;

    if clearing is not null then
      execute format(
        'select jsonb_object_agg(target, links)
         from (
           select target, jsonb_agg(
             jsonb_build_object(''table'', table_name, ''column'', name, ''ids'', ids)
               || case when key is null then ''{}'' else jsonb_build_object(''key'', key) end
             order by table_name, name
           ) as links
           from (%s) as link
           group by target
         ) as cleared',
        clearing
      )
      into cleared
      using array(select to_jsonb(old_rows) ->> tg_argv[1] from old_rows);
    end if;

    insert into service.trash
      (table_name, id, key, mark, is_root, deleted_by, image, cleared, parents, files)
    select
      own_name, deleted.id, deleted.key, coalesce(parent.mark, gen_random_uuid()), parent.mark is null,
      service.writing_account_of(deleted.shown), deleted.image, cleared -> deleted.shown, parent.keys,
      (
        select array_agg(deleted.image ->> name)
        from unnest(files) as name
        where deleted.image ->> name is not null
      )
    from (
      select service.kept_id(shown, own_type) as id, case when own_type <> 'uuid'::regtype then shown end as key, shown, image
      from (
        select image, case own_type when 'bpchar'::regtype then rtrim(image ->> tg_argv[1], ' ') else image ->> tg_argv[1] end as shown
        from (select to_jsonb(old_rows) as image from old_rows offset 0) as own
        offset 0
      ) as named
      offset 0
    ) as deleted
    cross join lateral (
      select
        array_agg(link.target || '/' || link.kept) as keys,
        (array_agg(link.mark) filter (where link.mark is not null))[1] as mark
      from (
        select target, service.kept_id(deleted.image ->> name, type) as kept, (
          select trash.mark
          from service.trash
          where trash.table_name = target
            and trash.id = service.kept_id(deleted.image ->> name, type)
            and trash.tx = pg_current_xact_id()
        ) as mark
        from unnest(links, targets, types) as one (name, target, type)
        where deleted.image ->> name is not null
        offset 0
      ) as link
    ) as parent
    where not exists (select from unnest(lost) as one (id) where one.id = deleted.id)
    on conflict (table_name, id) do update
    set key = excluded.key,
        mark = excluded.mark,
        is_root = excluded.is_root,
        deleted_at = excluded.deleted_at,
        deleted_by = excluded.deleted_by,
        image = excluded.image,
        unfit = null,
        cleared = excluded.cleared,
        parents = excluded.parents,
        files = excluded.files,
        tx = excluded.tx;
  end if;

  if tg_argv[0] <> '' then
    insert into service.changes_new (resource, op, id, key, account, token, job, before)
    select
      tg_argv[0],
      case when is_skipped or deleted.id in (select unnest(lost)) then 'delete' else 'trash' end,
      deleted.id,
      case when own_type <> 'uuid'::regtype then shown end,
      own.account, own.token, own.job, image
    from (
      select image, shown, service.kept_id(shown, own_type) as id
      from (
        select image, case own_type when 'bpchar'::regtype then rtrim(image ->> tg_argv[1], ' ') else image ->> tg_argv[1] end as shown
        from (select to_jsonb(old_rows) as image from old_rows offset 0) as own
        offset 0
      ) as named
      offset 0
    ) as deleted
    cross join lateral service.writer_of(service.written_for(written, shown), null) as own;
  end if;
  return null;
end
$$;

revoke execute on function service.keep_keyed() from public;

-- Whether the rows of a table are kept in the trash by that column.
create function service.has_keyed_trash(relation oid, key smallint) returns boolean
language sql stable
begin atomic
  select exists (
    select
    from pg_trigger
    join pg_attribute on attrelid = tgrelid and attnum = key
    where tgrelid = relation
      and tgfoid = 'service.keep_keyed()'::regprocedure
      and service.second_argument(tgargs) = attname
  );
end;

-- The column by which a trigger of the package finds the rows of a table; null if it is `id`, or there is no such trigger.
create function service.trigger_key(relation oid) returns text
language sql stable
begin atomic
  select service.second_argument(tgargs)
  from pg_trigger
  where tgrelid = relation
    and tgfoid in ('service.keep_keyed()'::regprocedure, 'service.log_keyed_change()'::regprocedure)
  limit 1;
end;

-- The column that identifies the rows of a table: that of its triggers, or of its primary key.
create function service.row_key(relation oid) returns text
language sql stable
begin atomic
  select coalesce(
    service.trigger_key(relation),
    (
      select attname
      from pg_index
      join pg_attribute on attrelid = indrelid and attnum = indkey[0]
      where indrelid = relation and indisprimary and indnkeyatts = 1
    ),
    'id'
  );
end;

-- As before, for the trash of any ids.
create or replace procedure service.write_change_triggers(table_name text, resource text, is_kept boolean, key text)
language plpgsql
as $$
begin
  if is_kept then
    execute format(
      'create or replace trigger "A_trash" after delete on %s
         referencing old table as old_rows
         for each row execute function service.%s',
      service.table_sql(table_name),
      case
        when key is null then format('keep_deleted(%s)', coalesce(quote_literal(resource), ''))
        else format('keep_keyed(%L, %L, %L)', coalesce(resource, ''), key, service.key_kind(table_name, key))
      end
    );
  end if;
  if resource is not null then
    execute format(
      'create or replace trigger change_log after %s on %s
         for each row execute function service.%s',
      case when is_kept then 'insert or update' else 'insert or update or delete' end,
      service.table_sql(table_name),
      case
        when key is null then format('log_change(%L)', resource)
        else format('log_keyed_change(%L, %L, %L)', resource, key, service.key_kind(table_name, key))
      end
    );
    execute format(
      'create or replace trigger change_log_truncate after truncate on %s
         for each statement execute function service.log_change(%L)',
      service.table_sql(table_name), resource
    );
  end if;
  call service.fire_as_tally(table_name);
end
$$;

create or replace function service.logged_key(table_name text) returns text
language sql stable
return service.trigger_key(to_regclass(service.table_sql(table_name)));

drop procedure service.start_trash(text);
create procedure service.start_trash(table_name text, key text default null)
language plpgsql
as $$
begin
  call service.write_change_triggers(table_name, service.logged_as(table_name), true, key);
end
$$;

create or replace procedure service.stop_trash(table_name text)
language plpgsql
as $$
declare
  key text := service.logged_key(table_name);
begin
  execute format('drop trigger if exists "A_trash" on %s', service.table_sql(table_name));
  call service.write_change_triggers(table_name, service.logged_as(table_name), false, key);
  call service.forget_trash(table_name);
end
$$;
