-- Numbers all changes after the numbers of the inbox were restarted. The lowest number was set back only once every older
-- transaction of the server had ended. Where that took until the numbers had caught up with it, the changes in between
-- stayed in the inbox.

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

-- Changes that were left behind get their numbers now.
update service.change_counter set lowest_seq = 0, next_seq = 0;
