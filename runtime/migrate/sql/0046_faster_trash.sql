-- Keeps all deleted rows of a statement at once, and logs them. Before, each row had separate
-- statements, and a cascade to 100,000 rows exceeded the time limit of a request.

-- Partial, so that only lists, which name their table, use it: plans made for a nearly empty trash used it to find rows by id.
drop index service.trash_deleted_at_idx;
create index trash_deleted_at_idx on service.trash (table_name, deleted_at desc, id desc)
  where table_name <> '';

-- Moves the deleted rows of a statement to the trash, and logs them. The first row's trigger does
-- it for all: a statement's triggers for its rows run in their order, and those of foreign keys
-- follow by name. So a row is in the trash before those that belong to it are deleted, and before
-- optional links to it are cleared. A row deleted by cascade gets the mark of its parent. The
-- trigger's argument is the name of the resource, if its changes are logged.
-- The setting `service.trash` is 'skip' while rows are deleted permanently, and 'restore' while they are restored.
create or replace function service.keep_deleted() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
-- The trash may grow by many rows in one statement: no plan may depend on how few it had.
set enable_seqscan = off
as $$
declare
  is_skipped boolean := current_setting('service.trash', true) = 'skip';
  written text := current_setting('service.account', true);
  writer record;
  links text[];
  targets text[];
  relations oid[];
  files text[];
  clearing text;
  cleared jsonb;
  lost uuid[];
begin
  if old.id <> (select id from old_rows limit 1) then
    return null;
  end if;
  writer := service.writer_of(written, old.id);
  if is_skipped then
    perform service.empty_trash(array_agg(tg_table_name || '/' || id)) from old_rows;
  else
    select
      array_agg(attname order by attname) filter (where conrelid = tg_relid and confdeltype = 'c'),
      array_agg(relname order by attname) filter (where conrelid = tg_relid and confdeltype = 'c'),
      array_agg(confrelid order by attname) filter (where conrelid = tg_relid and confdeltype = 'c'),
      array_agg(attname order by attname) filter (where confrelid = 'service.uploads'::regclass),
      string_agg(
        format(
          'select %1$L as table_name, %2$L as name, %2$I as target, jsonb_agg(id order by id) as ids
           from public.%1$I
           where %2$I = any ($1)
           group by %2$I',
          relname, attname
        ),
        ' union all ' order by relname, attname
      ) filter (where tgfoid = '"RI_FKey_setnull_del"'::regproc)
    into links, targets, relations, files, clearing
    from pg_trigger
    join pg_constraint on pg_constraint.oid = tgconstraint
    join pg_class on pg_class.oid = tgconstrrelid
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where tgrelid = tg_relid
      and case tgfoid
        when '"RI_FKey_check_ins"'::regproc then confdeltype = 'c' or confrelid = 'service.uploads'::regclass
        when '"RI_FKey_setnull_del"'::regproc
        then relnamespace = 'public'::regnamespace
          and exists (select from service.tallies where tallies.table_name = relname)
      end;

    -- Rows that belong to an account, or to a record deleted with one.
    if links is not null and current_setting('service.trash_of_accounts', true) = 'true' then
      for at in 1..cardinality(links) loop
        execute format(
          'select $1 || array(
             select id
             from old_rows
             where %1$I is not null
               and not exists (select from %2$s as target where target.id = old_rows.%1$I)
               and not exists (
                 select
                 from service.trash
                 where table_name = %3$L and trash.id = old_rows.%1$I and tx = pg_current_xact_id()
               )
           )',
          links[at], relations[at]::regclass, targets[at]
        )
        into lost
        using lost;
      end loop;
      perform service.empty_trash(array_agg(tg_table_name || '/' || id)) from unnest(lost) as id;
    end if;

    if clearing is not null then
      execute format(
        'select jsonb_object_agg(target, links)
         from (
           select target, jsonb_agg(
             jsonb_build_object(''table'', table_name, ''column'', name, ''ids'', ids)
             order by table_name, name
           ) as links
           from (%s) as link
           group by target
         ) as cleared',
        clearing
      )
      into cleared
      using array(select id from old_rows);
    end if;

    insert into service.trash
      (table_name, id, mark, is_root, deleted_by, image, cleared, parents, files)
    select
      tg_table_name, deleted.id, coalesce(parent.mark, gen_random_uuid()), parent.mark is null,
      case when left(written, 1) = '{' then service.writing_account(deleted.id) else writer.account end,
      deleted.image, cleared -> deleted.id::text, parent.keys,
      (
        select array_agg(deleted.image ->> name)
        from unnest(files) as name
        where deleted.image ->> name is not null
      )
    from (select old_rows.id, to_jsonb(old_rows) as image from old_rows offset 0) as deleted
    cross join lateral (
      select
        array_agg(link.target || '/' || link.value) as keys,
        (array_agg(link.mark) filter (where link.mark is not null))[1] as mark
      from (
        select target, deleted.image ->> name as value, (
          select trash.mark
          from service.trash
          where trash.table_name = target
            and trash.id = (deleted.image ->> name)::uuid
            and trash.tx = pg_current_xact_id()
        ) as mark
        from unnest(links, targets) as one (name, target)
        where deleted.image ->> name is not null
        offset 0
      ) as link
    ) as parent
    where not exists (select from unnest(lost) as one (id) where one.id = deleted.id)
    -- SQL may have inserted a row with the id of a deleted one.
    on conflict (table_name, id) do update
    set mark = excluded.mark,
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

  if tg_nargs > 0 then
    insert into service.changes_new (resource, op, id, account, token, job, before)
    select
      tg_argv[0],
      case when is_skipped or old_rows.id in (select unnest(lost)) then 'delete' else 'trash' end,
      old_rows.id,
      coalesce(own.account, writer.account),
      coalesce(own.token, writer.token),
      coalesce(own.job, writer.job),
      to_jsonb(old_rows)
    from old_rows
    left join lateral service.writer_of(written, old_rows.id) as own on left(written, 1) = '{';
  end if;
  return null;
end
$$;

-- Who writes the row, from the setting `service.account` of the transaction; see service.log_change.
create function service.writer_of(written text, id uuid, out account uuid, out token text, out job text)
language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  place integer;
begin
  if left(written, 1) = '{' then
    place := strpos(written, format('"%s":"', id));
    -- A name has at most 255 characters: up to 1,360 in base64.
    written := case when place > 0 then split_part(substr(written, place + 40, 1500), '"', 1) end;
  end if;
  if length(written) = 36 and written ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then
    account := written;
  elsif written ~ ('^(job|[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}) '
    || '([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$')
  then
    token := convert_from(decode(substr(written, strpos(written, ' ') + 1), 'base64'), 'UTF8');
    if left(written, 4) = 'job ' then
      job := token;
      token := null;
    else
      account := left(written, 36);
    end if;
  end if;
end
$$;

-- Rows that belong to an account by cascade are deleted permanently with it, including those in the
-- trash. Makes service.keep_deleted look for such rows until the transaction ends.
create or replace function service.empty_trash_of_account() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform set_config('service.trash_of_accounts', 'true', true);
  perform service.empty_trash(array['users/' || old.id]);
  return null;
end
$$;

-- Only triggers execute these, with the rights of their owner.
revoke execute on function service.empty_trash_of_account(), service.forget_owner() from public;

-- Deletes rows whose retention in the trash is over. It is that of the table of their root row, in
-- days by table ({"notes": 30}). Deletes up to `_most` root rows with all rows deleted with them,
-- one server at a time. Returns how many rows were deleted.
create or replace function service.expire_trash(_days jsonb, _most integer) returns integer
language plpgsql
as $$
declare
  expired text[];
begin
  if not pg_try_advisory_xact_lock(7364057) then
    return 0;
  end if;
  select array_agg(trash.table_name || '/' || trash.id) into expired
  from (
    select mark
    from jsonb_each_text(_days) as setting (table_name, days)
    cross join lateral (
      select root.mark
      from service.trash as root
      where root.table_name = setting.table_name
        and root.table_name <> ''
        and root.deleted_at < now() - make_interval(days => setting.days::integer)
        and root.is_root
      order by root.deleted_at
      limit _most
    ) as old
    limit _most
  ) as root
  join service.trash on trash.mark = root.mark;
  return case when expired is null then 0 else service.empty_trash(expired) end;
end
$$;

-- Restores the rows of one table, whose parents are restored already. Optional links that lead
-- nowhere are empty, and new columns have their defaults.
create or replace function service.restore_rows(_mark uuid, _table text) returns jsonb
language plpgsql
as $$
declare
  restored regclass := to_regclass(service.table_sql(_table));
  names text;
  sources text;
  missing text;
  refused jsonb;
  statement text;
  kept_ids uuid[];
  former integer := 1;
  middle integer;
  latter integer;
  state text;
  broken_constraint text;
  broken_column text;
begin
  if restored is null then
    return null;
  end if;
  select
    string_agg(format('%I', attname), ', ' order by attnum),
    string_agg(
      case
        when attname = 'updated_at' then 'now()'
        when link.key is null or attnotnull then source
        else format(
          '(select %1$I from %2$s as target where target.%1$I = %3$s for key share)', link.key, link.target, source
        ) end,
      ', ' order by attnum
    ),
    string_agg(
      case
        when link.key is not null and attnotnull
        then format(
          'select %L as name where not exists (select from %s as target where target.%I = %s)',
          attname, link.target, link.key, source
        )
      end,
      ' union all ' order by attnum
    )
  into names, sources, missing
  from (
    select attnum, attname, attnotnull,
      case
        when atttypid = 'jsonb'::regtype then format('nullif(kept.image -> %L, ''null'')', attname)
        when format_type(atttypid, atttypmod) like '%[]'
        -- Only some rows of a mark may have the list: see service.move_trashed_pairs.
        then format(
          'coalesce(service.elements_of(kept.image -> %L)::%s, ''{}'')', attname, format_type(atttypid, atttypmod)
        )
        else format('(kept.image ->> %L)::%s', attname, format_type(atttypid, atttypmod))
      end as source
    from pg_attribute
    where attrelid = restored and attnum > 0 and not attisdropped and attgenerated = ''
  ) as own
  left join lateral (
    select confrelid::regclass as target, pg_attribute.attname as key
    from pg_constraint
    join pg_attribute on attrelid = confrelid and pg_attribute.attnum = confkey[1]
    where conrelid = restored
      and contype = 'f'
      and conkey = array[own.attnum]
      -- A row that links to itself, or to another one of these, is stored with it; see service.restore_links.
    limit 1
  ) as link on true
  where exists (
    select from service.trash where mark = _mark and table_name = _table and image ? attname
  );
  if missing is not null then
    execute format(
      'select jsonb_build_object(
         ''table'', %1$L, ''id'', coalesce(kept.key, kept.id::text), ''kind'', ''missing'', ''columns'', lost.names
       )
       from service.trash as kept
       cross join lateral (select jsonb_agg(name) as names from (%2$s) as lost) as lost
       where kept.mark = $1 and kept.table_name = %1$L and lost.names is not null
       order by kept.id
       limit 1',
      _table, missing
    )
    into refused
    using _mark;
    if refused is not null then
      return refused;
    end if;
  end if;
  statement := format(
    'insert into %s (%s) overriding system value select %s from service.trash as kept where kept.mark = $1 and kept.table_name = %L',
    restored, names, sources, _table
  );
  begin
    execute statement using _mark;
    return null;
  exception when integrity_constraint_violation or data_exception or raise_exception then
    null;
  end;
  -- By bisection, up to the first row that is refused.
  kept_ids := array(select id from service.trash where mark = _mark and table_name = _table order by id);
  latter := cardinality(kept_ids);
  while former <= cardinality(kept_ids) loop
    middle := (former + latter) / 2;
    begin
      execute statement || ' and kept.id = any ($2)' using _mark, kept_ids[former:middle];
      former := middle + 1;
      if former > latter then
        latter := cardinality(kept_ids);
      end if;
    exception when integrity_constraint_violation or data_exception or raise_exception then
      if former = middle then
        get stacked diagnostics
          state = returned_sqlstate,
          broken_constraint = constraint_name,
          broken_column = column_name;
        return jsonb_build_object(
          'table', _table,
          'id', (select coalesce(key, id::text) from service.trash where table_name = _table and id = kept_ids[former]),
          'kind', case state
            when '23505' then 'unique' when '23P01' then 'unique' when '23502' then 'empty' when '23503' then 'link'
            else 'check'
          end,
          'name', coalesce(nullif(broken_constraint, ''), broken_column)
        );
      end if;
      latter := middle;
    end;
  end loop;
  return null;
end
$$;

-- Sets the links among the restored rows that were stored before their targets, and the optional links of others to them,
-- if they are still empty.
create or replace function service.restore_links(_mark uuid) returns void
language plpgsql
as $$
declare
  link record;
  at integer;
  count integer;
begin
  for link in
    select distinct conrelid::regclass as own, kept.table_name, attname as name, target, atttypid as type,
      format_type(atttypid, null) as type_name, service.row_key(conrelid) as key
    from (select distinct table_name from service.trash where mark = _mark) as kept
    join pg_constraint on conrelid = to_regclass(service.table_sql(kept.table_name)) and contype = 'f'
    cross join lateral service.table_name(confrelid) as target
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where confdeltype = 'n'
      and target in (select table_name from service.trash where mark = _mark)
    order by kept.table_name, name
  loop
    execute format(
      'update %1$s as own
       set %2$I = (kept.image ->> %4$L)::%6$s
       from service.trash as kept
       join service.trash as linked
         on linked.mark = $1 and linked.table_name = %3$L and linked.id = service.kept_id(kept.image ->> %4$L, %7$s::oid)
       where kept.mark = $1
         and kept.table_name = %5$L
         and own.%8$I = (kept.image ->> %8$L)::%9$s
         and own.%2$I is null',
      link.own, link.name, link.target, link.name, link.table_name, link.type_name, link.type, link.key,
      (service.column_type(link.table_name, link.key)).type
    )
    using _mark;
  end loop;
  for link in
    -- The ids are texts: those of a link's table may have any type.
    select conrelid::regclass as own, cleared.link ->> 'table' as table_name, attname as name,
      kept.image -> target.name as value, kept.image ->> target.name as id, format_type(atttypid, null) as type,
      coalesce(cleared.link ->> 'key', 'id') as key,
      array(select jsonb_array_elements_text(cleared.link -> 'ids')) as ids
    from service.trash as kept
    cross join lateral jsonb_array_elements(kept.cleared) as cleared (link)
    join pg_constraint
      on conrelid = to_regclass(service.table_sql(cleared.link ->> 'table'))
      and confrelid = to_regclass(service.table_sql(kept.table_name))
      and contype = 'f'
    join pg_attribute
      on attrelid = conrelid and attnum = conkey[1] and attname = cleared.link ->> 'column' and not attnotnull
    cross join lateral (
      select own.attname as name from pg_attribute as own where own.attrelid = confrelid and own.attnum = confkey[1]
    ) as target
    where kept.mark = _mark and kept.cleared is not null
    order by 2, 3, kept.id
  loop
    at := 1;
    count := cardinality(link.ids);
    while at <= cardinality(link.ids) loop
      begin
        execute format(
          'update %s set %2$I = $1::%3$s where %4$I = any ($2::%5$s[]) and %2$I is null',
          link.own, link.name, link.type, link.key, (service.column_type(link.table_name, link.key)).type
        )
        using link.id, link.ids[at:at + count - 1];
        at := at + count;
        count := 2 * count;
      exception when unique_violation then
        -- One of these rows has changed since, and its link would violate a unique constraint:
        -- only this link stays empty.
        if count = 1 then
          at := at + 1;
        else
          count := count / 2;
        end if;
      end;
    end loop;
    update service.trash
    set image = image || jsonb_build_object(link.name, link.value)
    where trash.table_name = link.table_name
      and trash.id = any (array(
        select service.kept_id(one, atttypid)
        from unnest(link.ids) as one
        join pg_attribute on attrelid = link.own and attname = link.key
      ))
      and mark <> _mark
      and image ->> link.name is null;
  end loop;
end
$$;

-- A table as SQL, with its schema, which is `public` unless the name has one: `sales.Artist`.
create function service.table_sql(table_name text) returns text
language sql immutable
begin atomic
  select case strpos(table_name, '.')
    when 0 then format('public.%I', table_name)
    else format('%I.%I', split_part(table_name, '.', 1), split_part(table_name, '.', 2))
  end;
end;

-- The name of a table as `service.table_sql` reads it. Those of the package's tables have no schema.
create function service.table_name(relation oid) returns text
language sql stable
begin atomic
  select case when nspname in ('public', 'service') then relname else nspname || '.' || relname end
  from pg_class
  join pg_namespace on pg_namespace.oid = relnamespace
  where pg_class.oid = relation;
end;

-- Writes the triggers by which a table's deleted rows are kept and its changes are logged; `resource` is null if they are
-- not. The trash logs the rows that it keeps. The name of its trigger precedes those of foreign keys (RI_…), by which
-- PostgreSQL orders triggers.
create procedure service.write_change_triggers(table_name text, resource text, is_kept boolean)
language plpgsql
as $$
begin
  if is_kept then
    execute format(
      'create or replace trigger "A_trash" after delete on %s
         referencing old table as old_rows
         for each row execute function service.keep_deleted(%s)',
      service.table_sql(table_name), coalesce(quote_literal(resource), '')
    );
  end if;
  if resource is not null then
    execute format(
      'create or replace trigger change_log after %s on %s
         for each row execute function service.log_change(%L)',
      case when is_kept then 'insert or update' else 'insert or update or delete' end,
      service.table_sql(table_name), resource
    );
    execute format(
      'create or replace trigger change_log_truncate after truncate on %s
         for each statement execute function service.log_change(%L)',
      service.table_sql(table_name), resource
    );
  end if;
end
$$;

-- The resource under whose name the changes of a table are logged; null if they are not.
create function service.logged_as(table_name text) returns text
language sql stable
begin atomic
  select split_part(encode(tgargs, 'escape'), '\000', 1)
  from pg_trigger
  where tgrelid = to_regclass(service.table_sql(table_name)) and tgname = 'change_log';
end;

create function service.has_trash(table_name text) returns boolean
language sql stable
begin atomic
  select exists (
    select
    from pg_trigger
    where tgrelid = to_regclass(service.table_sql(table_name)) and tgname = 'A_trash'
  );
end;

create or replace procedure service.log_changes(table_name text, resource text)
language plpgsql
as $$
begin
  call service.write_change_triggers(table_name, resource, service.has_trash(table_name));
end
$$;

create or replace procedure service.stop_log(table_name text)
language plpgsql
as $$
begin
  execute format('drop trigger change_log on %s', service.table_sql(table_name));
  execute format('drop trigger change_log_truncate on %s', service.table_sql(table_name));
  call service.write_change_triggers(table_name, null, service.has_trash(table_name));
end
$$;

-- Keeps the deleted rows of a table from now on.
create or replace procedure service.start_trash(table_name text)
language plpgsql
as $$
begin
  call service.write_change_triggers(table_name, service.logged_as(table_name), true);
end
$$;

-- Deletes rows permanently from now on, and empties the trash of the table.
create or replace procedure service.stop_trash(table_name text)
language plpgsql
as $$
begin
  execute format('drop trigger if exists "A_trash" on %s', service.table_sql(table_name));
  call service.write_change_triggers(table_name, service.logged_as(table_name), false);
  call service.forget_trash(table_name);
end
$$;

-- The trash logs the rows that it keeps.
create or replace function service.log_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  written text := current_setting('service.account', true);
  place integer;
  writer uuid;
  name text;
  token text;
  job text;
begin
  if left(written, 1) = '{' and tg_op <> 'TRUNCATE' then
    place := strpos(written, format('"%s":"', case when tg_op = 'INSERT' then new.id else old.id end));
    -- A name has at most 255 characters: up to 1,360 in base64.
    written := case when place > 0 then split_part(substr(written, place + 40, 1500), '"', 1) end;
  end if;
  if length(written) = 36 and written ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then
    writer := written;
  elsif written ~ ('^(job|[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}) '
    || '([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$')
  then
    name := convert_from(decode(substr(written, strpos(written, ' ') + 1), 'base64'), 'UTF8');
    if left(written, 4) = 'job ' then
      job := name;
    else
      writer := left(written, 36);
      token := name;
    end if;
  end if;
  if tg_op = 'INSERT' then
    insert into service.changes_new (resource, op, id, account, token, job)
    values (
      tg_argv[0],
      case when current_setting('service.trash', true) = 'restore' then 'restore' else 'create' end,
      new.id, writer, token, job
    );
  elsif tg_op = 'UPDATE' and new.id = old.id then
    insert into service.changes_new (resource, op, id, account, token, job, before)
    values (tg_argv[0], 'update', old.id, writer, token, job, to_jsonb(old));
  elsif tg_op = 'UPDATE' then
    insert into service.changes_new (resource, op, id, account, token, job, before)
    values
      (tg_argv[0], 'delete', old.id, writer, token, job, to_jsonb(old)),
      (tg_argv[0], 'create', new.id, writer, token, job, null);
  elsif tg_op = 'DELETE' then
    insert into service.changes_new (resource, op, id, account, token, job, before)
    values (tg_argv[0], 'delete', old.id, writer, token, job, to_jsonb(old));
  else
    insert into service.changes_new (resource, op) values (tg_argv[0], 'truncate');
  end if;
  return null;
end
$$;

-- As before, for tables of any schema.
create or replace function service.restore_trash(_mark uuid) returns jsonb
language plpgsql
as $$
declare
  waiting text[] := array(select distinct table_name from service.trash where mark = _mark order by 1);
  one text;
  refused jsonb;
begin
  perform set_config('service.trash', 'restore', true);
  select jsonb_build_object(
    'table', table_name, 'id', coalesce(key, id::text), 'kind', 'unfit', 'columns', array(select jsonb_object_keys(unfit) order by 1)
  ) into refused
  from service.trash
  where mark = _mark and unfit is not null
  order by table_name, id
  limit 1;
  while refused is null and cardinality(waiting) > 0 loop
    select name into strict one
    from unnest(waiting) as name
    order by exists (
      select
      from pg_constraint
      where conrelid = to_regclass(service.table_sql(name))
        and contype = 'f'
        and confdeltype <> 'n'
        and service.table_name(confrelid) = any (array_remove(waiting, name))
    ), name
    limit 1;
    waiting := array_remove(waiting, one);
    refused := service.restore_rows(_mark, one);
  end loop;
  if refused is not null then
    return refused;
  end if;
  perform service.restore_links(_mark);
  delete from service.trash where mark = _mark;
  perform set_config('service.trash', '', true);
  return null;
end
$$;

do $$
declare
  kept text;
begin
  for kept in
    select relname
    from pg_trigger
    join pg_class on pg_class.oid = tgrelid
    where tgfoid = 'service.keep_deleted'::regproc and relnamespace = 'public'::regnamespace
    order by relname
  loop
    call service.start_trash(kept);
  end loop;
end
$$;

-- The id follows the last slash of 'table/id': the name of a table may contain slashes.
create or replace function service.empty_trash(_rows text[]) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  emptied integer;
begin
  with recursive lost (key) as (
    select unnest(_rows) collate "C"
    union
    select (trash.table_name || '/' || trash.id) collate "C"
    from lost
    join service.trash on trash.parents @> array[lost.key]
  ),
  deleted as (
    delete from service.trash
    using (select left(key, -37) as table_name, right(key, 36)::uuid as id from lost) as lost
    where trash.table_name = lost.table_name and trash.id = lost.id
    returning trash.table_name, trash.id
  ),
  logged as (
    insert into service.changes_new (resource, op, id, account)
    select split_part(encode(tgargs, 'escape'), '\000', 1), 'purge', id, service.writing_account(id)
    from deleted
    join pg_trigger on tgrelid = to_regclass(service.table_sql(table_name)) and tgname = 'change_log'
  )
  select count(*) into emptied from deleted;
  return emptied;
end
$$;

create or replace procedure service.rename_trash(former text, table_name text)
language plpgsql
as $$
begin
  update service.trash
  set parents = array(
    select case when left(parent, -37) = former then rename_trash.table_name || right(parent, 37) else parent end
    from unnest(parents) as parent
  )
  where exists (select from unnest(parents) as parent where left(parent, -37) = former);
  update service.trash
  set cleared = (
    select jsonb_agg(
      case when link ->> 'table' = former then link || jsonb_build_object('table', rename_trash.table_name) else link end
    )
    from jsonb_array_elements(cleared) as link
  )
  where cleared @> jsonb_build_array(jsonb_build_object('table', former));
  update service.trash
  set table_name = rename_trash.table_name
  where trash.table_name = former;
end
$$;
