-- Lists of links. Such a field has a table of entries (record, target, position), which has the
-- foreign keys and indexes, and a column of the record's table with the same ids in order, which
-- reads show. A change of either changes the other within the same statement.
-- The column repeats the entries because records are read far more often than lists are written: of
-- 21,000 records with two lists, a page of 25 takes 0.10 ms with the columns and 0.28 ms with the
-- entries. It needs no further write, since a change of a list changes the row of its record in any
-- case: the record's version and the log of changes are those of the row.

-- The name of a function that keeps the two in sync. Names of tables and columns have no two underscores in sequence.
create function service.entries_function(entries text, what text) returns text
language sql immutable
return case
  when octet_length(entries) + octet_length(what) <= 61 then entries || '__' || what
  else what || '_' || md5(entries)
end;

-- Keeps the column and the entries in sync from now on.
create procedure service.keep_list(table_name text, column_name text, entries text)
language plpgsql
as $$
declare
  list_function text := service.entries_function(entries, 'list');
  record_function text := service.entries_function(entries, 'record');
begin
  -- A role that may write the table needs no right to the entries. A writer of the list waits for
  -- other writers of the record, so the entries match the newest list. A change of the list that
  -- results from a change of its entries finds both in sync. A new record has no entries yet:
  -- looking for them took two thirds of the time.
  execute format(
    'create or replace function service.%I() returns trigger
     language plpgsql security definer set search_path = pg_catalog, pg_temp
     as %L',
    list_function,
    format(
      $body$
      begin
        if tg_op = 'INSERT' then
          insert into public.%1$I (record_id, target_id, position)
          select new.id, target_id, at
          from unnest(new.%2$I) with ordinality as listed (target_id, at);
          return null;
        end if;
        if new.%2$I = array(
          select target_id from public.%1$I where record_id = new.id order by position, target_id
        ) then
          return null;
        end if;
        with gone as (
          delete from public.%1$I where record_id = new.id and target_id <> all (new.%2$I)
        )
        insert into public.%1$I as entry (record_id, target_id, position)
        select new.id, target_id, at
        from unnest(new.%2$I) with ordinality as listed (target_id, at)
        on conflict (record_id, target_id) do update
        set position = excluded.position
        where entry.position <> excluded.position;
        return null;
      end
      $body$,
      entries, column_name
    )
  );
  execute format('revoke execute on function service.%I() from public', list_function);

  -- Records are locked before their entries are read again: two transactions may add to the same list.
  execute format(
    'create or replace function service.%I() returns trigger
     language plpgsql security definer set search_path = pg_catalog, pg_temp
     as %L',
    record_function,
    format(
      $body$
      #variable_conflict use_variable
      declare
        changed uuid[];
      begin
        if tg_op = 'TRUNCATE' then
          update public.%2$I as own set %3$I = '{}' where own.%3$I <> '{}';
          return null;
        elsif tg_op = 'INSERT' then
          changed := array(select distinct record_id from new_rows);
        elsif tg_op = 'DELETE' then
          changed := array(select distinct record_id from old_rows);
        else
          changed := array(select record_id from old_rows union select record_id from new_rows);
        end if;
        changed := array(
          select id
          from public.%2$I as own
          where id = any (changed)
            and own.%3$I <> array(
              select target_id from public.%1$I where record_id = own.id order by position, target_id
            )
        );
        if changed = '{}' then
          return null;
        end if;
        perform from public.%2$I where id = any (changed) order by id for no key update;
        update public.%2$I as own
        set %3$I = array(
          select target_id from public.%1$I where record_id = own.id order by position, target_id
        )
        where id = any (changed)
          and own.%3$I <> array(
            select target_id from public.%1$I where record_id = own.id order by position, target_id
          );
        return null;
      end
      $body$,
      entries, table_name, column_name
    )
  );
  execute format('revoke execute on function service.%I() from public', record_function);

  execute format(
    $triggers$
      create or replace trigger %4$I after insert on public.%1$I
        for each row when (new.%2$I <> '{}') execute function service.%5$I();
      create or replace trigger %6$I after update on public.%1$I
        for each row when (new.%2$I <> old.%2$I) execute function service.%5$I();
      create or replace trigger entries_insert after insert on public.%3$I
        referencing new table as new_rows
        for each statement execute function service.%7$I();
      create or replace trigger entries_update after update on public.%3$I
        referencing old table as old_rows new table as new_rows
        for each statement execute function service.%7$I();
      create or replace trigger entries_delete after delete on public.%3$I
        referencing old table as old_rows
        for each statement execute function service.%7$I();
      create or replace trigger entries_truncate after truncate on public.%3$I
        for each statement execute function service.%7$I();
    $triggers$,
    table_name, column_name, entries,
    service.entries_function(entries, 'insert'), list_function,
    service.entries_function(entries, 'update'), record_function
  );
end
$$;

-- Deletes the entries of a deleted target whose records the same statement has deleted: they do not refuse its deletion. The
-- arguments are the table of the entries and that of the records.
create function service.delete_joint_entries() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  execute format(
    'delete from public.%I as entry
     where target_id = $1 and not exists (select from public.%I as own where own.id = entry.record_id)',
    tg_argv[0], tg_argv[1]
  )
  using old.id;
  return null;
end
$$;

revoke execute on function service.delete_joint_entries() from public;

-- The trigger that precedes a foreign key's check of the targets. A row's triggers run in the order of their names, and those
-- of foreign keys have names that begin with "RI_".
create function service.joint_deletes_trigger(entries text) returns text
language sql immutable
return 'B_' || case when octet_length(entries) <= 61 then entries else md5(entries) end;

-- An entry refuses the deletion of its target from now on, even if its record is deleted by the same statement.
create procedure service.forbid_joint_deletes(entries text)
language plpgsql
as $$
declare
  target regclass;
begin
  for target in
    select tgrelid from pg_trigger where tgname = service.joint_deletes_trigger(entries)
  loop
    execute format('drop trigger %I on %s', service.joint_deletes_trigger(entries), target);
  end loop;
end
$$;

-- A target can be deleted by the statement that deletes all records that list it, from now on. Otherwise this depends on the
-- order of the rows.
create procedure service.allow_joint_deletes(table_name text, entries text)
language plpgsql
as $$
begin
  call service.forbid_joint_deletes(entries);
  execute format(
    'create trigger %I after delete on %s for each row execute function service.delete_joint_entries(%L, %L)',
    service.joint_deletes_trigger(entries),
    (
      select confrelid::regclass
      from pg_constraint
      join pg_attribute on attrelid = conrelid and attnum = conkey[1]
      where conrelid = to_regclass(format('public.%I', entries)) and contype = 'f' and attname = 'target_id'
    ),
    entries, table_name
  );
end
$$;

-- Stops keeping the column and the entries in sync.
create procedure service.leave_list(table_name text, entries text)
language plpgsql
as $$
declare
  one text;
begin
  call service.forbid_joint_deletes(entries);
  foreach one in array array['insert', 'update'] loop
    execute format('drop trigger %I on public.%I', service.entries_function(entries, one), table_name);
  end loop;
  foreach one in array array['entries_insert', 'entries_update', 'entries_delete', 'entries_truncate'] loop
    execute format('drop trigger %I on public.%I', one, entries);
  end loop;
  execute format('drop function service.%I()', service.entries_function(entries, 'list'));
  execute format('drop function service.%I()', service.entries_function(entries, 'record'));
end
$$;
