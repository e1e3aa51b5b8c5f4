-- The trash: deleted rows of tables whose resource has one, each until it is restored or its days are over. The tables
-- themselves, with their foreign keys, unique indexes and totals, know nothing of it. A trigger moves the rows, and so
-- also those that SQL deletes.

create table service.trash (
  -- The table of the row, unquoted; its resource has the trash.
  table_name text collate "C" not null,
  id uuid not null,
  -- Common to the rows that were deleted together: one that a statement named, and all that went along by cascade.
  mark uuid not null,
  -- Whether a statement named this row.
  is_root boolean not null,
  deleted_at timestamptz(3) not null default now(),
  -- The account that deleted it; null if unknown.
  deleted_by uuid,
  -- The row by column.
  image jsonb not null,
  -- Values that no longer fit because their column has become another kind, by column; null for none.
  unfit jsonb,
  -- The optional links of others that the deletion has cleared: [{"table", "column", "ids"}]; null for none.
  cleared jsonb,
  -- What the row belongs to by cascade, as 'table/id'; null for nothing.
  parents text[] collate "C",
  -- The keys of its files; null for none.
  files text[] collate "C",
  -- The transaction that deleted it.
  tx xid8 not null default pg_current_xact_id(),
  constraint trash_pkey primary key (table_name, id)
);

create index trash_deleted_at_idx on service.trash (table_name, deleted_at desc, id desc);
create index trash_mark_idx on service.trash (mark);
create index trash_parents_idx on service.trash using gin (parents) where parents is not null;
create index trash_files_idx on service.trash using gin (files) where files is not null;

-- Moves a deleted row to the trash. The setting `service.trash` is 'skip' where rows are deleted permanently, and 'restore'
-- where they come back. A row that goes with another by cascade has the mark of that one, which is in the trash already:
-- a row is deleted before those that belong to it, and this trigger precedes those of the foreign keys. What goes with an
-- account, or with another row that is deleted permanently, is deleted permanently.
create function service.keep_deleted() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  image jsonb := to_jsonb(old);
  link record;
  value text;
  parents text[];
  files text[];
  mark uuid;
  is_there boolean;
  ids uuid[];
  cleared jsonb := '[]';
begin
  if current_setting('service.trash', true) = 'skip' then
    perform service.empty_trash(array[tg_table_name || '/' || old.id]);
    return null;
  end if;
  for link in
    select own.attname as name, confrelid as target, target.relname as target_name,
      confrelid = 'service.uploads'::regclass as is_file
    from pg_constraint
    join pg_class as target on target.oid = confrelid
    join pg_attribute as own on own.attrelid = conrelid and own.attnum = conkey[1]
    where conrelid = tg_relid
      and contype = 'f'
      and (confdeltype = 'c' or confrelid = 'service.uploads'::regclass)
  loop
    value := image ->> link.name;
    if value is null then
      continue;
    elsif link.is_file then
      files := files || value;
    else
      parents := parents || (link.target_name || '/' || value);
      mark := coalesce(mark, (
        select trash.mark
        from service.trash
        where table_name = link.target_name
          and trash.id = value::uuid
          and tx = pg_current_xact_id()
      ));
      if mark is null then
        execute format('select exists (select from %s where id = $1)', link.target::regclass)
        into is_there
        using value::uuid;
        if not is_there then
          perform service.empty_trash(array[tg_table_name || '/' || old.id]);
          return null;
        end if;
      end if;
    end if;
  end loop;
  for link in
    select format('%I.%I', nspname, relname) as own, relname as table_name, attname as name
    from pg_trigger
    join pg_constraint on pg_constraint.oid = tgconstraint
    join pg_class on pg_class.oid = conrelid
    join pg_namespace on pg_namespace.oid = relnamespace
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where tgrelid = tg_relid
      and confrelid = tg_relid
      and tgfoid = '"RI_FKey_setnull_del"'::regproc
      and nspname = 'public'
      and exists (select from service.tallies where tallies.table_name = relname)
    order by relname, attname
  loop
    execute format('select array_agg(id order by id) from %s where %I = $1', link.own, link.name)
    into ids
    using old.id;
    if ids is not null then
      cleared := cleared
        || jsonb_build_object('table', link.table_name, 'column', link.name, 'ids', to_jsonb(ids));
    end if;
  end loop;
  insert into service.trash
    (table_name, id, mark, is_root, deleted_by, image, cleared, parents, files)
  values (
    tg_table_name, old.id, coalesce(mark, gen_random_uuid()), mark is null,
    service.writing_account(old.id), image, nullif(cleared, '[]'), parents, files
  )
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
  return null;
end
$$;

-- The account in the setting `service.account` of the transaction; see service.log_change.
create function service.writing_account(_id uuid) returns uuid
language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  written text := current_setting('service.account', true);
  place integer;
begin
  if left(written, 1) = '{' then
    place := strpos(written, format('"%s":"', _id));
    written := case when place > 0 then substr(written, place + 40, 36) end;
  end if;
  written := left(written, 36);
  return case when written ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then written::uuid end;
end
$$;

-- Deletes rows from the trash permanently, with all in it that belongs to them by cascade; a row that is not there itself may
-- have such rows too. `_rows` are 'table/id'. Returns how many.
create function service.empty_trash(_rows text[]) returns integer
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
    using (
      select split_part(key, '/', 1) as table_name, split_part(key, '/', 2)::uuid as id from lost
    ) as lost
    where trash.table_name = lost.table_name and trash.id = lost.id
    returning trash.table_name, trash.id
  ),
  logged as (
    insert into service.changes_new (resource, op, id, account)
    select split_part(encode(tgargs, 'escape'), '\000', 1), 'purge', id, service.writing_account(id)
    from deleted
    join pg_trigger on tgrelid = to_regclass(format('public.%I', table_name)) and tgname = 'change_log'
  )
  select count(*) into emptied from deleted;
  return emptied;
end
$$;

-- Deletes what is in the trash for longer than its days: those of the table of the row that was deleted, by table
-- ({"notes": 30}). Deletes up to `_most` such rows with all that went along, one server at a time. Returns how many rows
-- were deleted.
create function service.expire_trash(_days jsonb, _most integer) returns integer
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

-- Restores the rows with the mark, parents first, with the optional links that their deletion has cleared. Returns null, or
-- why one row cannot be stored: {"table", "id", "kind", "name", "columns"}, where `kind` is 'unfit' (values of another
-- kind), 'missing' (required links that lead nowhere), or that of the constraint or column with the `name`. The caller rolls
-- back then.
create function service.restore_trash(_mark uuid) returns jsonb
language plpgsql
as $$
declare
  waiting text[] := array(select distinct table_name from service.trash where mark = _mark order by 1);
  one text;
  refused jsonb;
begin
  perform set_config('service.trash', 'restore', true);
  select jsonb_build_object(
    'table', table_name, 'id', id, 'kind', 'unfit', 'columns', array(select jsonb_object_keys(unfit) order by 1)
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
      join pg_class as target on target.oid = confrelid
      where conrelid = to_regclass(format('public.%I', name))
        and contype = 'f'
        and confdeltype <> 'n'
        and target.relname = any (waiting)
        and target.relname <> name
        and target.relnamespace = 'public'::regnamespace
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

-- Restores the rows of one table; those that they belong to are there. Links that may be empty are, where they lead
-- nowhere, and columns that are new have their defaults.
create function service.restore_rows(_mark uuid, _table text) returns jsonb
language plpgsql
as $$
declare
  restored regclass := to_regclass(format('public.%I', _table));
  names text;
  sources text;
  missing text;
  refused jsonb;
  statement text;
  one uuid;
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
      format('(kept.image ->> %L)::%s', attname, format_type(atttypid, atttypmod)) as source
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
      'select jsonb_build_object(''table'', %1$L, ''id'', kept.id, ''kind'', ''missing'', ''columns'', lost.names)
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
    'insert into %s (%s) select %s from service.trash as kept where kept.mark = $1 and kept.table_name = %L',
    restored, names, sources, _table
  );
  begin
    execute statement using _mark;
  exception when integrity_constraint_violation or data_exception or raise_exception then
    -- One after the other: the first one that is refused has the reason.
    for one in select id from service.trash where mark = _mark and table_name = _table order by id loop
      begin
        execute statement || ' and kept.id = $2' using _mark, one;
      exception when integrity_constraint_violation or data_exception or raise_exception then
        get stacked diagnostics
          state = returned_sqlstate,
          broken_constraint = constraint_name,
          broken_column = column_name;
        return jsonb_build_object(
          'table', _table, 'id', one,
          'kind', case state
            when '23505' then 'unique' when '23P01' then 'unique' when '23502' then 'empty' when '23503' then 'link'
            else 'check'
          end,
          'name', coalesce(nullif(broken_constraint, ''), broken_column)
        );
      end;
    end loop;
  end;
  return null;
end
$$;

-- Sets the links among the restored rows that were stored before their targets, and the optional links of others to them,
-- if they are still empty.
create function service.restore_links(_mark uuid) returns void
language plpgsql
as $$
declare
  link record;
begin
  for link in
    select distinct conrelid::regclass as own, kept.table_name, attname as name, target.relname as target
    from (select distinct table_name from service.trash where mark = _mark) as kept
    join pg_constraint on conrelid = to_regclass(format('public.%I', table_name)) and contype = 'f'
    join pg_class as target on target.oid = confrelid and target.relnamespace = 'public'::regnamespace
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where confdeltype = 'n'
      and target.relname in (select table_name from service.trash where mark = _mark)
    order by kept.table_name, name
  loop
    execute format(
      'update %1$s as own
       set %2$I = linked.id
       from service.trash as kept
       join service.trash as linked
         on linked.mark = $1 and linked.table_name = %3$L and linked.id = (kept.image ->> %4$L)::uuid
       where kept.mark = $1 and kept.table_name = %5$L and own.id = kept.id and own.%2$I is null',
      link.own, link.name, link.target, link.name, link.table_name
    )
    using _mark;
  end loop;
  for link in
    select conrelid::regclass as own, cleared.link ->> 'table' as table_name, attname as name, kept.id,
      array(select jsonb_array_elements_text(cleared.link -> 'ids')::uuid) as ids
    from service.trash as kept
    cross join lateral jsonb_array_elements(kept.cleared) as cleared (link)
    join pg_constraint
      on conrelid = to_regclass(format('public.%I', cleared.link ->> 'table'))
      and confrelid = to_regclass(format('public.%I', kept.table_name))
      and contype = 'f'
    join pg_attribute
      on attrelid = conrelid and attnum = conkey[1] and attname = cleared.link ->> 'column' and not attnotnull
    where kept.mark = _mark and kept.cleared is not null
    order by 2, 3, 4
  loop
    begin
      execute format('update %s set %2$I = $1 where id = any ($2) and %2$I is null', link.own, link.name)
      using link.id, link.ids;
    exception when unique_violation then
      -- Another record has the link meanwhile, and no two may have it.
      null;
    end;
    update service.trash
    set image = image || jsonb_build_object(link.name, link.id)
    where trash.table_name = link.table_name
      and trash.id = any (link.ids)
      and mark <> _mark
      and image ->> link.name is null;
  end loop;
end
$$;

-- Keeps the deleted rows of a table from now on. The trigger's name precedes those of foreign keys (RI_…), by which
-- PostgreSQL orders triggers.
create procedure service.start_trash(table_name text)
language plpgsql
as $$
begin
  execute format(
    'create or replace trigger "A_trash" after delete on public.%I
       for each row execute function service.keep_deleted()',
    table_name
  );
end
$$;

-- What belongs to an account by cascade is deleted with it, in the trash as well.
create function service.empty_trash_of_account() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform service.empty_trash(array['users/' || old.id]);
  return null;
end
$$;

create trigger "A_trash" after delete on service.users
  for each row execute function service.empty_trash_of_account();

-- Deletes rows permanently from now on, and empties the trash of the table.
create procedure service.stop_trash(table_name text)
language plpgsql
as $$
begin
  execute format('drop trigger if exists "A_trash" on public.%I', table_name);
  call service.forget_trash(table_name);
end
$$;

-- Empties the trash of a table, also after it was dropped.
create procedure service.forget_trash(table_name text)
language plpgsql
as $$
begin
  perform service.empty_trash(array_agg(trash.table_name || '/' || trash.id))
  from service.trash
  where trash.table_name = forget_trash.table_name
  having count(*) > 0;
end
$$;

create procedure service.rename_trash(former text, table_name text)
language plpgsql
as $$
begin
  update service.trash
  set parents = array(
    select case
      when split_part(parent, '/', 1) = former then rename_trash.table_name || substr(parent, length(former) + 1)
      else parent
    end
    from unnest(parents) as parent
  )
  where exists (select from unnest(parents) as parent where split_part(parent, '/', 1) = former);
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

create procedure service.rename_trash_column(table_name text, former text, column_name text)
language plpgsql
as $$
begin
  update service.trash
  set image = (image - former) || jsonb_build_object(column_name, image -> former)
  where trash.table_name = rename_trash_column.table_name and image ? former;
  update service.trash
  set unfit = (unfit - former) || jsonb_build_object(column_name, unfit -> former)
  where trash.table_name = rename_trash_column.table_name and unfit ? former;
  update service.trash
  set cleared = (
    select jsonb_agg(
      case
        when link @> jsonb_build_object('table', rename_trash_column.table_name, 'column', former)
        then link || jsonb_build_object('column', column_name)
        else link
      end
    )
    from jsonb_array_elements(cleared) as link
  )
  where cleared @> jsonb_build_array(
    jsonb_build_object('table', rename_trash_column.table_name, 'column', former)
  );
end
$$;

create procedure service.rename_trash_value(table_name text, column_name text, former text, value text)
language sql
begin atomic
  update service.trash
  set image = image || jsonb_build_object(column_name, value)
  where trash.table_name = rename_trash_value.table_name and image ->> column_name = former;
end;

-- The column has become another type: values that cannot be read as it no longer fit. A null type is another kind, in
-- which no value fits.
create procedure service.change_trash_column(table_name text, column_name text, type text)
language sql
begin atomic
  update service.trash
  set image = image - column_name,
      unfit = coalesce(unfit, '{}') || jsonb_build_object(column_name, image -> column_name)
  where trash.table_name = change_trash_column.table_name
    and image ->> column_name is not null
    and (type is null or not service.reads_as(image ->> column_name, type));
end;

create procedure service.drop_trash_column(table_name text, column_name text)
language sql
begin atomic
  update service.trash
  set image = image - column_name, unfit = nullif(unfit - column_name, '{}')
  where trash.table_name = drop_trash_column.table_name
    and (image ? column_name or unfit ? column_name);
end;

-- Logs the changes of records: a row that has gone to the trash as 'trash', and one that comes back as 'restore'. What is
-- deleted from the trash is logged as 'purge', which histories alone read.
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
    values (
      tg_argv[0],
      case
        when exists (
          select
          from service.trash
          where table_name = tg_table_name and trash.id = old.id and tx = pg_current_xact_id()
        )
        then 'trash'
        else 'delete'
      end,
      old.id, writer, token, job, to_jsonb(old)
    );
  else
    insert into service.changes_new (resource, op) values (tg_argv[0], 'truncate');
  end if;
  return null;
end
$$;
