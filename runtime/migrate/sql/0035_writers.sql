-- The log of changes knows which service token or job has written, and in which transaction: readers get several changes
-- of a record in one transaction as one.

alter table service.changes_new
  add column token text collate "C",
  add column job text collate "C",
  add column tx xid8;
-- Apart from the column: changes without a number yet have none.
alter table service.changes_new alter column tx set default pg_current_xact_id();
alter table service.changes
  add column token text collate "C",
  add column job text collate "C",
  -- Null for the changes of former releases, each of which counts as one of its own transaction.
  add column tx xid8;

-- Who writes is in the setting `service.account` of the transaction: the id of an account, which the name of its service
-- token may follow; `job` and the name of a job; or JSON with one of these for each record where one statement writes for
-- several. Names are in base64. Any other value was set by own SQL and is ignored. A role that may write the table needs no
-- right to the log.
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
    values (tg_argv[0], 'create', new.id, writer, token, job);
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

-- Numbers up to `_most` committed changes, and returns how many; 0 while another process numbers them. Each statement
-- sees what was committed before it, so the counter is read as the last process has left it.
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
  insert into service.changes (n, at, resource, op, id, account, token, job, tx, before)
  select counter.n + row_number() over (order by seq),
    at, resource, op, id, account, token, job, tx, before
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

