-- The log of changes: every write to some tables, by requests and by SQL. Triggers add it to an inbox, in the writer's
-- own transaction; the sequencer then numbers the committed changes. Numbers have no gaps and are in order for each
-- record, and an open transaction does not delay the changes of others.

-- Changes without a number yet, including those of open transactions.
create table service.changes_new (
  -- Without a cache of numbers: of two changes of a record the later has the greater one, because its trigger ran while
  -- it held the row.
  seq bigint generated always as identity (cache 1),
  at timestamptz not null default clock_timestamp(),
  resource text collate "C" not null,
  -- 'create', 'update', 'delete' or 'truncate'.
  op text collate "C" not null,
  -- Null for 'truncate', like the columns below.
  id uuid,
  -- Who wrote it; null for SQL by hand, and for accounts that are not in service.users.
  account uuid,
  -- The row before the change, by column; null for 'create'.
  before jsonb,
  constraint changes_new_pkey primary key (seq)
) with (
  -- Rows are deleted soon: dead ones must not accumulate at the front of the index.
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000
);

-- The numbered changes. The row after a change is the row before the record's next change, or else the row itself.
create table service.changes (
  n bigint not null,
  at timestamptz not null,
  resource text collate "C" not null,
  op text collate "C" not null,
  id uuid,
  account uuid,
  before jsonb,
  constraint changes_pkey primary key (n)
);

-- For the next change of a record, and its history.
create index changes_record_idx on service.changes (resource, id, n);

-- The state of the log: one row.
create table service.change_counter (
  only_row boolean not null default true,
  -- The number of the last change. Not a sequence, which would lose the numbers of a process that ends.
  n bigint not null default 0,
  -- Identifies the log, so that positions of another one are refused: a restore starts a new log.
  log uuid not null default gen_random_uuid(),
  -- No change after this number was deleted.
  kept_after bigint not null default 0,
  -- No row of the inbox has a lower number, and none will.
  lowest_seq bigint not null default 0,
  -- What `lowest_seq` will be once every transaction before the horizon has ended.
  next_seq bigint not null default 0,
  horizon xid8 not null default '0',
  constraint change_counter_pkey primary key (only_row),
  constraint change_counter_only_row check (only_row)
) with (fillfactor = 10);

insert into service.change_counter default values;

-- How far the histories have been deleted, by resource; changes without one are deleted up to `kept_after`.
create table service.change_histories (
  resource text collate "C" not null,
  kept_after bigint not null,
  constraint change_histories_pkey primary key (resource)
);

-- The account that writes, from the setting `service.account` of its transaction: an id, or JSON with an id for each
-- record where one statement writes for several callers. Any other value was set by own SQL and is ignored.
create function service.writing_account(_id uuid) returns uuid
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  written text := current_setting('service.account', true);
begin
  if left(written, 1) = '{' then
    written := substring(written from '"' || _id || '":"([^"]*)"');
  end if;
  return case when written ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then written::uuid end;
end
$$;

-- A role that may write the table needs no right to the log.
create function service.log_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    insert into service.changes_new (resource, op, id, account)
    values (tg_argv[0], 'create', new.id, service.writing_account(new.id));
  elsif tg_op = 'UPDATE' and new.id = old.id then
    insert into service.changes_new (resource, op, id, account, before)
    values (tg_argv[0], 'update', old.id, service.writing_account(old.id), to_jsonb(old));
  elsif tg_op = 'UPDATE' then
    insert into service.changes_new (resource, op, id, account, before)
    values
      (tg_argv[0], 'delete', old.id, service.writing_account(old.id), to_jsonb(old)),
      (tg_argv[0], 'create', new.id, service.writing_account(old.id), null);
  elsif tg_op = 'DELETE' then
    insert into service.changes_new (resource, op, id, account, before)
    values (tg_argv[0], 'delete', old.id, service.writing_account(old.id), to_jsonb(old));
  else
    insert into service.changes_new (resource, op) values (tg_argv[0], 'truncate');
  end if;
  return null;
end
$$;

revoke execute on function service.log_change() from public;

-- Logs every change of a table from now on under the name of its resource, or changes that name. No row is read, and
-- writers wait for a moment. The triggers are for each row: a trigger for each statement would run after the changes that
-- other triggers of the statement make, and log them in the wrong order.
create procedure service.log_changes(table_name text, resource text)
language plpgsql
as $$
begin
  execute format(
    'create or replace trigger change_log after insert or update or delete on public.%1$I
       for each row execute function service.log_change(%2$L)',
    table_name, resource
  );
  execute format(
    'create or replace trigger change_log_truncate after truncate on public.%1$I
       for each statement execute function service.log_change(%2$L)',
    table_name, resource
  );
end
$$;

create procedure service.stop_log(table_name text)
language plpgsql
as $$
begin
  execute format('drop trigger change_log on public.%I', table_name);
  execute format('drop trigger change_log_truncate on public.%I', table_name);
end
$$;

-- Renames the resource of logged changes.
create procedure service.rename_logged(former text, resource text)
language sql
begin atomic
  update service.changes_new set resource = rename_logged.resource where changes_new.resource = former;
  update service.changes set resource = rename_logged.resource where changes.resource = former;
  update service.change_histories set resource = rename_logged.resource where change_histories.resource = former;
end;

-- Numbers up to `_most` committed changes, and returns how many; 0 while another process numbers them. Each statement
-- sees what was committed before it, so the counter is read as the last process has left it.
create function service.sequence_changes(_most integer) returns integer
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
    -- Somebody has restarted the numbers.
    counter.lowest_seq := 0;
    counter.next_seq := 0;
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
  insert into service.changes (n, at, resource, op, id, account, before)
  select counter.n + row_number() over (order by seq), at, resource, op, id, account, before
  from taken;
  get diagnostics moved = row_count;
  if moved > 0 then
    update service.change_counter set n = counter.n + moved;
  end if;

  -- Dead rows stay in the index as long as somebody has an old snapshot. So that they are not read each time, reading
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

-- Deletes changes that are too old: at most `_most` of each resource with a history, and of all others. Returns whether
-- there may be more. Changes of the resources in `_histories` ({"orders": 400}, days) are kept for longer.
create function service.forget_changes(_days integer, _histories jsonb, _most integer) returns boolean
language plpgsql
as $$
declare
  counter service.change_counter;
  history service.change_histories;
  upto bigint;
  has_moved boolean := false;
begin
  if not pg_try_advisory_xact_lock(7364038) then
    return false;
  end if;
  select * into strict counter from service.change_counter;
  insert into service.change_histories (resource, kept_after)
  select name, counter.kept_after from jsonb_object_keys(_histories) as name
  on conflict do nothing;

  for history in select * from service.change_histories loop
    upto := service.old_changes(
      history.kept_after, coalesce((_histories ->> history.resource)::integer, _days), _most
    );
    if upto > history.kept_after then
      delete from service.changes
      where n > history.kept_after and n <= upto and resource = history.resource;
      update service.change_histories set kept_after = upto where resource = history.resource;
      has_moved := true;
    elsif not _histories ? history.resource and history.kept_after >= counter.kept_after then
      delete from service.change_histories where resource = history.resource;
    end if;
  end loop;

  -- Last, because the sequencer waits for the counter's row.
  upto := service.old_changes(counter.kept_after, _days, _most);
  if upto > counter.kept_after then
    delete from service.changes
    where n > counter.kept_after
      and n <= upto
      and resource not in (select one.resource from service.change_histories as one);
    update service.change_counter set kept_after = upto;
    has_moved := true;
  end if;
  return has_moved;
end
$$;

-- The number up to which all changes after the given one are older than `_days`, or deleted; reads `_most` changes. Times
-- are in the order of the numbers, except for changes of a long transaction: these are deleted with the next ones.
create function service.old_changes(_after bigint, _days integer, _most integer) returns bigint
language sql stable
begin atomic
  with next as (
    select n, at from service.changes where n > _after order by n limit _most
  )
  select coalesce(
    (select min(n) - 1 from next where at >= now() - make_interval(days => _days)),
    (select max(n) from next having count(*) = _most),
    (select n from service.change_counter)
  );
end;
