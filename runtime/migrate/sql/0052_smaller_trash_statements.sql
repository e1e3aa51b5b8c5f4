-- Uses simple statements for a row that a statement deletes alone. The statement for many rows took
-- most of the time of such a deletion, and nearly every request deletes one row.

-- By cascade, rows belong to records and accounts only: links by other keys, or to other tables
-- outside the schema public, are the app's own. `service.table_name` is called for tables of other
-- schemas only.

-- Moves one row to the trash; see service.keep_deleted. Returns false if the row was deleted
-- permanently instead: it belongs to an account, or to a record deleted with one.
create function service.keep_deleted_row(_relation oid, _table text, _image jsonb, _account uuid) returns boolean
language plpgsql
as $$
declare
  _id uuid := _image ->> 'id';
  is_with_account boolean := coalesce(current_setting('service.trash_of_accounts', true) = 'true', false);
  link record;
  value text;
  kept uuid;
  parents text[];
  files text[];
  mark uuid;
  marked uuid;
  is_there boolean;
  clearing text;
  cleared jsonb;
begin
  for link in
    select attname as name, atttypid as type, confrelid as relation, confkey[1] as key,
      case
        when target.relnamespace in ('public'::regnamespace, 'service'::regnamespace) then target.relname
        else service.table_name(confrelid)
      end as target,
      confrelid = 'service.uploads'::regclass as is_file
    from pg_constraint
    join pg_class as target on target.oid = confrelid
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where conrelid = _relation
      and contype = 'f'
      and (
        confrelid = 'service.uploads'::regclass
        or confdeltype = 'c'
          and atttypid = 'uuid'::regtype
          and (
            target.relnamespace in ('public'::regnamespace, 'service'::regnamespace)
            or exists (select from service.tallies where tallies.table_name = service.table_name(confrelid))
          )
        or confdeltype = 'c' and atttypid <> 'uuid'::regtype and service.has_keyed_trash(confrelid, confkey[1])
      )
    order by attname
  loop
    value := _image ->> link.name;
    if value is null then
      continue;
    end if;
    if link.is_file then
      files := files || value;
      continue;
    end if;
    kept := service.kept_id(value, link.type);
    parents := parents || (link.target || '/' || kept);
    select trash.mark into marked
    from service.trash
    where trash.table_name = link.target and trash.id = kept and trash.tx = pg_current_xact_id();
    mark := coalesce(mark, marked);
    if marked is null and is_with_account then
      execute format(
        'select exists (select from %s where %I = $1::%s)', link.relation::regclass,
        (select attname from pg_attribute where attrelid = link.relation and attnum = link.key),
        format_type(link.type, null)
      )
      into is_there
      using value;
      if not is_there then
        perform service.empty_trash(array[_table || '/' || _id]);
        return false;
      end if;
    end if;
  end loop;

  select string_agg(
    format(
      'select jsonb_build_object(''table'', %1$L, ''column'', %2$L, ''ids'', jsonb_agg(%4$s order by %5$I))%6$s
       from %3$s where %2$I = $1 having count(*) > 0',
      table_name, pg_attribute.attname, service.table_sql(table_name),
      case when id.attnum is null then format('%I::text', named.key) else 'id' end, named.key,
      case when id.attnum is null then format(' || jsonb_build_object(''key'', %L)', named.key) end
    ),
    ' union all ' order by table_name, pg_attribute.attname
  )
  into clearing
  from pg_trigger
  join pg_constraint on pg_constraint.oid = tgconstraint
  join pg_class on pg_class.oid = conrelid
  left join pg_attribute as id on id.attrelid = conrelid and id.attname = 'id' and id.atttypid = 'uuid'::regtype
  cross join lateral (
    select
      case relnamespace when 'public'::regnamespace then relname else service.table_name(conrelid) end as table_name,
      case when id.attnum is null then service.row_key(conrelid) else 'id' end as key
    offset 0
  ) as named
  join pg_attribute on pg_attribute.attrelid = conrelid and pg_attribute.attnum = conkey[1]
  where tgrelid = _relation
    and tgfoid = '"RI_FKey_setnull_del"'::regproc
    and relnamespace <> 'service'::regnamespace
    and exists (select from service.tallies where tallies.table_name = named.table_name);
  if clearing is not null then
    execute format('select jsonb_agg(link) from (%s) as one (link)', clearing) into cleared using _id;
  end if;

  insert into service.trash
    (table_name, id, mark, is_root, deleted_by, image, cleared, parents, files)
  values (_table, _id, coalesce(mark, gen_random_uuid()), mark is null, _account, _image, cleared, parents, files)
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
  return true;
end
$$;

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
  own_name text := case tg_table_schema when 'public' then tg_table_name else tg_table_schema || '.' || tg_table_name end;
  is_skipped boolean := current_setting('service.trash', true) = 'skip';
  written text := current_setting('service.account', true);
  writer record;
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
  if old.id <> (select id from old_rows limit 1) then
    return null;
  end if;
  writer := service.writer_of(written, old.id);
  if is_skipped then
    perform service.empty_trash(array_agg(own_name || '/' || id)) from old_rows;
  elsif not exists (select from old_rows offset 1) then
    if not service.keep_deleted_row(tg_relid, own_name, to_jsonb(old), writer.account) then
      lost := array[old.id];
    end if;
  else
    select
      array_agg(attname order by attname) filter (where conrelid = tg_relid and confdeltype = 'c'),
      array_agg(atttypid order by attname) filter (where conrelid = tg_relid and confdeltype = 'c'),
      array_agg(table_name order by attname) filter (where conrelid = tg_relid and confdeltype = 'c'),
      array_agg(confrelid order by attname) filter (where conrelid = tg_relid and confdeltype = 'c'),
      array_agg(named.key order by attname) filter (where conrelid = tg_relid and confdeltype = 'c'),
      array_agg(attname order by attname) filter (where confrelid = 'service.uploads'::regclass),
      string_agg(
        format(
          'select %1$L as table_name, %2$L as name, %2$I as target, jsonb_agg(%4$s order by %5$I) as ids, %6$L as key
           from %3$s
           where %2$I = any ($1)
           group by %2$I',
          table_name, attname, service.table_sql(table_name),
          case when named.key = 'id' then 'id' else format('%I::text', named.key) end, named.key,
          nullif(named.key, 'id')
        ),
        ' union all ' order by table_name, attname
      ) filter (where tgfoid = '"RI_FKey_setnull_del"'::regproc)
    into links, types, targets, relations, keys, files, clearing
    from pg_trigger
    join pg_constraint on pg_constraint.oid = tgconstraint
    join pg_class on pg_class.oid = tgconstrrelid
    cross join lateral (
      select case
        when relnamespace in ('public'::regnamespace, 'service'::regnamespace) then relname
        else service.table_name(tgconstrrelid)
      end as table_name,
      service.row_key(tgconstrrelid) as key
      offset 0
    ) as named
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where tgrelid = tg_relid
      and case tgfoid
        when '"RI_FKey_check_ins"'::regproc
        then confrelid = 'service.uploads'::regclass
          or confdeltype = 'c'
            and atttypid = 'uuid'::regtype
            and (
              relnamespace in ('public'::regnamespace, 'service'::regnamespace)
              or exists (select from service.tallies where tallies.table_name = named.table_name)
            )
          or confdeltype = 'c' and atttypid <> 'uuid'::regtype and service.has_keyed_trash(confrelid, confkey[1])
        when '"RI_FKey_setnull_del"'::regproc
        then relnamespace <> 'service'::regnamespace
          and exists (select from service.tallies where tallies.table_name = named.table_name)
      end;

    -- Rows that belong to an account, or to a record deleted with one.
    if links is not null and current_setting('service.trash_of_accounts', true) = 'true' then
      for at in 1..cardinality(links) loop
        execute format(
          'select $1 || array(
             select id
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
        using lost;
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
      using array(select id from old_rows);
    end if;

    insert into service.trash
      (table_name, id, mark, is_root, deleted_by, image, cleared, parents, files)
    select
      own_name, deleted.id, coalesce(parent.mark, gen_random_uuid()), parent.mark is null,
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

revoke execute on function service.keep_deleted() from public;

-- Deletes rows whose retention in the trash is over, each with all rows deleted with it. It is that
-- of the table of the root row, in days by table ({"notes": 30}). Stops once at least `_most` rows
-- are deleted, since a statement has a time limit; one server at a time. Returns how many rows were
-- deleted.
create or replace function service.expire_trash(_days jsonb, _most integer) returns integer
language plpgsql
as $$
declare
  root record;
  deleted integer := 0;
begin
  if not pg_try_advisory_xact_lock(7364057) then
    return 0;
  end if;
  for root in
    select old.mark
    from jsonb_each_text(_days) as setting (table_name, days)
    cross join lateral (
      select trash.mark
      from service.trash
      where trash.table_name = setting.table_name
        and trash.table_name <> ''
        and trash.deleted_at < now() - make_interval(days => setting.days::integer)
        and trash.is_root
      order by trash.deleted_at
      limit _most
    ) as old
    limit _most
  loop
    -- Waits for a restore of these records, after which they are no longer there.
    perform from service.trash where trash.mark = root.mark order by table_name, id for update;
    deleted := deleted + coalesce(
      (
        select service.empty_trash(array_agg(trash.table_name || '/' || trash.id))
        from service.trash
        where trash.mark = root.mark
      ),
      0
    );
    exit when deleted >= _most;
  end loop;
  return deleted;
end
$$;
