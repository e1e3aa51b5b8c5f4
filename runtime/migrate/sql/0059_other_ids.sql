-- Changes of records whose ids are integers or texts. The log finds each record by a UUID that is made of its id, so that
-- the log of other records stays as it was, with the same index. The id itself stands beside it.

alter table service.changes_new add column key text;
alter table service.changes add column key text;

-- The UUID by which the log and the trash find a record with such an id. It is a hash, so that no two ids with the same one
-- can be found.
create function service.id_of_key(key text) returns uuid
language sql immutable strict parallel safe
return substr(encode(sha256(convert_to(key, 'UTF8')), 'hex'), 1, 32)::uuid;

-- How triggers read a column of ids: 'uuid' as it is, 'character' without its padding, and 'key' as it is shown.
create function service.key_kind(table_name text, column_name text) returns text
language sql stable
begin atomic
  select case atttypid when 'uuid'::regtype then 'uuid' when 'bpchar'::regtype then 'character' else 'key' end
  from pg_attribute
  where attrelid = to_regclass(service.table_sql(table_name)) and attname = column_name;
end;

-- The part of the setting `service.account` that is about one record; see service.log_change.
create function service.written_for(written text, key text) returns text
language plpgsql immutable
as $$
declare
  name text;
  place integer;
begin
  if left(written, 1) <> '{' then
    return written;
  end if;
  name := to_json(key)::text || ':"';
  place := strpos(written, name);
  -- A name has at most 255 characters: up to 1,360 in base64.
  return case when place > 0 then split_part(substr(written, place + length(name), 1500), '"', 1) end;
end
$$;

-- Like service.log_change, for ids that are no UUIDs in a column `id`. Its arguments are the name of the resource, the column
-- of the ids, and how that is read; see service.key_kind.
create function service.log_keyed_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  is_uuid constant boolean := tg_argv[2] = 'uuid';
  former jsonb;
  former_key text;
  latter_key text;
  former_id uuid;
  latter_id uuid;
  writer record;
begin
  if tg_op <> 'INSERT' then
    former := to_jsonb(old);
    former_key := former ->> tg_argv[1];
  end if;
  if tg_op <> 'DELETE' then
    latter_key := to_jsonb(new) ->> tg_argv[1];
  end if;
  if tg_argv[2] = 'character' then
    former_key := rtrim(former_key, ' ');
    latter_key := rtrim(latter_key, ' ');
  end if;
  writer := service.writer_of(
    service.written_for(current_setting('service.account', true), coalesce(former_key, latter_key)), null
  );
  if is_uuid then
    former_id := former_key;
    latter_id := latter_key;
    former_key := null;
    latter_key := null;
  else
    former_id := service.id_of_key(former_key);
    latter_id := service.id_of_key(latter_key);
  end if;
  if tg_op = 'INSERT' then
    insert into service.changes_new (resource, op, id, key, account, token, job)
    values (
      tg_argv[0],
      case when current_setting('service.trash', true) = 'restore' then 'restore' else 'create' end,
      latter_id, latter_key, writer.account, writer.token, writer.job
    );
  elsif tg_op = 'UPDATE' and former_id <> latter_id then
    insert into service.changes_new (resource, op, id, key, account, token, job, before)
    values
      (tg_argv[0], 'delete', former_id, former_key, writer.account, writer.token, writer.job, former),
      (tg_argv[0], 'create', latter_id, latter_key, writer.account, writer.token, writer.job, null);
  else
    insert into service.changes_new (resource, op, id, key, account, token, job, before)
    values (
      tg_argv[0], lower(tg_op), former_id, former_key, writer.account, writer.token, writer.job, former
    );
  end if;
  return null;
end
$$;

revoke execute on function service.log_keyed_change() from public;

create function service.second_argument(arguments bytea) returns text
language sql immutable
return service.first_argument(substring(arguments from position('\x00'::bytea in arguments) + 1));

-- The column of the ids of a logged table; null if they are UUIDs in a column `id`.
create function service.logged_key(table_name text) returns text
language sql stable
begin atomic
  select service.second_argument(tgargs)
  from pg_trigger
  where tgrelid = to_regclass(service.table_sql(table_name))
    and tgname = 'change_log'
    and tgfoid = 'service.log_keyed_change()'::regprocedure;
end;

-- As before; `key` is the column of the ids, and null if they are UUIDs in a column `id`.
drop procedure service.write_change_triggers(text, text, boolean);
create procedure service.write_change_triggers(table_name text, resource text, is_kept boolean, key text)
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
end
$$;

drop procedure service.log_changes(text, text);
create procedure service.log_changes(table_name text, resource text, key text default null)
language plpgsql
as $$
begin
  call service.write_change_triggers(table_name, resource, service.has_trash(table_name), key);
end
$$;

create or replace procedure service.stop_log(table_name text)
language plpgsql
as $$
declare
  key text := service.logged_key(table_name);
begin
  execute format('drop trigger change_log on %s', service.table_sql(table_name));
  execute format('drop trigger change_log_truncate on %s', service.table_sql(table_name));
  call service.write_change_triggers(table_name, null, service.has_trash(table_name), key);
end
$$;

create or replace procedure service.start_trash(table_name text)
language plpgsql
as $$
begin
  call service.write_change_triggers(
    table_name, service.logged_as(table_name), true, service.logged_key(table_name)
  );
end
$$;

create or replace procedure service.stop_trash(table_name text)
language plpgsql
as $$
begin
  execute format('drop trigger if exists "A_trash" on %s', service.table_sql(table_name));
  call service.write_change_triggers(
    table_name, service.logged_as(table_name), false, service.logged_key(table_name)
  );
  call service.forget_trash(table_name);
end
$$;

-- As before, with the column `key`.
create or replace function service.sequence_changes(_most integer) returns integer
language plpgsql
-- The inbox may have been empty when the plan was made.
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  -- Whether this transaction gets its number only below, after `last_given` was read.
  is_fresh boolean := pg_current_xact_id_if_assigned() is null;
  counter service.change_counter;
  ended xid8;
  last_given bigint;
  moved integer;
begin
  if not pg_try_advisory_xact_lock(7364028) then
    return 0;
  end if;
  select * into strict counter from service.change_counter;
  last_given := (select case when is_called then last_value else 0 end from service.changes_new_seq_seq);
  if last_given < counter.lowest_seq - 1 then
    -- Somebody has restarted the numbers. Stored at once: this is not seen any more when they have caught up.
    update service.change_counter set lowest_seq = 0, next_seq = 0 returning * into strict counter;
  end if;
  -- Before the inbox is read, which then shows all that those have written.
  ended := pg_snapshot_xmin(pg_current_snapshot());

  with taken as (
    delete from service.changes_new
    where seq in (
      select seq from service.changes_new where seq >= counter.lowest_seq order by seq limit _most
    )
    returning *
  )
  insert into service.changes (n, at, resource, op, id, key, account, token, job, tx, before)
  select counter.n + row_number() over (order by seq),
    at, resource, op, id, key, account, token, job, tx, before
  from taken;
  get diagnostics moved = row_count;
  if moved > 0 then
    update service.change_counter set n = counter.n + moved;
  end if;

  -- Dead rows stay in the index as long as any session has an old snapshot. So that they are not read each time, reading
  -- begins at the lowest number that a transaction can still have: those that ran when `next_seq` was given have ended.
  if moved < _most
    and is_fresh
    and counter.horizon <= ended
    and (counter.next_seq > counter.lowest_seq or last_given >= counter.next_seq)
  then
    update service.change_counter
    set lowest_seq = counter.next_seq,
        next_seq = last_given + 1,
        -- Whoever has one of the numbers up to `last_given` got its own number before this one. (The end of a snapshot
        -- would not do: it is the number behind the last transaction that has ended, and others may run beyond it.)
        horizon = pg_current_xact_id();
  end if;
  return moved;
end
$$;
