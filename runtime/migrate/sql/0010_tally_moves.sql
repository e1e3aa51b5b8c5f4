-- An update that changes no counted value must cost little. A trigger for each row compares the values; only where
-- one differs are the rows of the statement counted. Where only the total is counted, updates need no trigger.

-- @transaction
create function service.moves_function(tally_name text) returns text
language sql immutable
return case
  when octet_length(tally_name) <= 56 then tally_name || '__moves'
  else 'tally_moves_' || md5(tally_name)
end;

create or replace procedure service.write_tally_triggers(counted_table text)
language plpgsql
as $$
declare
  tally service.tallies;
  trigger_name text;
begin
  call service.write_tally_function(counted_table);
  select * into strict tally from service.tallies where table_name = counted_table;
  execute format(
    $triggers$
      create or replace trigger tally_insert after insert on public.%1$I
        referencing new table as new_rows
        for each statement execute function service.%2$I();
      create or replace trigger tally_delete after delete on public.%1$I
        referencing old table as old_rows
        for each statement execute function service.%2$I();
      create or replace trigger tally_truncate after truncate on public.%1$I
        for each statement execute function service.%2$I();
    $triggers$,
    tally.table_name, tally.tally_name
  );

  if tally.counts <> '{}' then
    execute format(
      $triggers$
        create or replace trigger tally_moves after update on public.%1$I
          for each row execute function service.%3$I();
        create or replace trigger tally_update after update on public.%1$I
          referencing old table as old_rows new table as new_rows
          for each statement execute function service.%2$I();
      $triggers$,
      tally.table_name, tally.tally_name, service.moves_function(tally.tally_name)
    );
    return;
  end if;
  -- `drop … if exists` would wait for readers also where there is none.
  for trigger_name in
    select tgname
    from pg_trigger
    where tgrelid = format('public.%I', counted_table)::regclass
      and tgname in ('tally_moves', 'tally_update')
  loop
    execute format('drop trigger %I on public.%I', trigger_name, counted_table);
  end loop;
  execute format(
    'drop function if exists service.%I()', service.moves_function(tally.tally_name)
  );
end
$$;

-- As before, but without `merge`, which took twice as long as a sum and an update.
create or replace procedure service.write_tally_function(counted_table text)
language plpgsql
as $$
declare
  tally service.tallies;
  names text;
  sums text;
  changes text;
  moved text;
  added text;
  given text;
  zeros text;
  new_values text;
  old_values text;
  source text;
  owned_by text;
  statements text[] := '{}';
  owned text[] := '{}';
begin
  select * into strict tally from service.tallies where table_name = counted_table;
  owned_by := tally.counts -> 'owner' ->> 0;

  -- A column may have the name of a plpgsql variable, so the values get separate names.
  select
    coalesce(string_agg(distinct format('new_rows.%I as %I, ', name, 'v_' || md5(name)), ''), ''),
    coalesce(string_agg(distinct format('old_rows.%I as %I, ', name, 'v_' || md5(name)), ''), '')
  into new_values, old_values
  from (
    select value ->> 0 as name
    from jsonb_each(tally.counts)
    where value ->> 1 is not null
  ) as counted;

  select
    string_agg(format('%I', name), ', '),
    string_agg(format('%s as %I', sum, name), ', '),
    string_agg(format('_change.%I <> 0', name), ' or '),
    string_agg(format('%1$I = slot.%1$I + _change.%1$I', name), ', '),
    string_agg(format('_change.%I', name), ', '),
    string_agg(format('%I = 0', name), ', ')
  into names, sums, changes, added, given, zeros
  from (
    select 'total' as name, 'coalesce(sum(changed._sign), 0)' as sum
    union all
    select
      key,
      format(
        'coalesce(sum(changed._sign) filter (where changed.%I = %L), 0)',
        'v_' || md5(value ->> 0), value ->> 1
      )
    from jsonb_each(tally.counts)
    where value ->> 1 is not null
  ) as number;

  -- A statement that changes no number does not touch the slots.
  foreach source in array array[
    format('select %s 1 as _sign from new_rows', new_values),
    format(
      'select %s 1 as _sign from new_rows union all select %s -1 from old_rows',
      new_values, old_values
    ),
    format('select %s -1 as _sign from old_rows', old_values)
  ] loop
    statements := statements || format(
      $count$
        select %2$s into _change from (%7$s) as changed;
        if %3$s then
          _free := case
            when pg_try_advisory_xact_lock(tg_relid::int, mod(pg_backend_pid(), 16))
            then mod(pg_backend_pid(), 16)
            else (
              select slot.slot
              from service.%1$I as slot
              where pg_try_advisory_xact_lock(tg_relid::int, slot.slot::int)
              limit 1
            )
          end;
          update service.%1$I as slot set %4$s where slot.slot = _free;
          if not found then
            insert into service.%1$I (%5$s) values (%6$s);
          end if;
        end if;$count$,
      tally.tally_name, sums, changes, added, names, given, source
    );
  end loop;

  -- After the slots: where no slot was free, the one that was added is claimed.
  if owned_by is not null then
    foreach source in array array[
      format('select new_rows.%I as _owner, 1 as _sign from new_rows', owned_by),
      format(
        'select new_rows.%1$I as _owner, 1 as _sign from new_rows
         union all select old_rows.%1$I, -1 from old_rows',
        owned_by
      ),
      format('select old_rows.%I as _owner, -1 as _sign from old_rows', owned_by)
    ] loop
      owned := owned || format(
        $upsert$
          insert into service.owner_counts as kept (owner, table_name, slot, total)
          select
            moved._owner,
            %2$L,
            case
              when pg_try_advisory_xact_lock(tg_relid::int, mod(pg_backend_pid(), 16))
              then mod(pg_backend_pid(), 16)
              else coalesce(
                (
                  select slot
                  from service.%1$I
                  where pg_try_advisory_xact_lock(tg_relid::int, slot::int)
                  limit 1
                ),
                - pg_current_xact_id()::text::bigint
              )
            end,
            moved._total
          from (
            select changed._owner, sum(changed._sign) as _total
            from (%3$s) as changed
            group by changed._owner
            having sum(changed._sign) <> 0
          ) as moved
          on conflict (owner, table_name, slot)
          do update set total = kept.total + excluded.total;$upsert$,
        tally.tally_name, tally.table_name, source
      );
    end loop;
  end if;

  -- A role that may write the table needs no right to its tally.
  execute format(
    'create or replace function service.%I() returns trigger
     language plpgsql security definer set search_path = pg_catalog, pg_temp
     as %L',
    tally.tally_name,
    format(
      $body$
      declare
        _change record;
        _free bigint;
      begin
        if tg_op = 'INSERT' then %s %s
        elsif tg_op = 'UPDATE' then
          if current_setting('service.tally_moves', true) = 'true' then %s %s end if;
        elsif tg_op = 'DELETE' then %s %s
        else
          update service.tallies set uncounted = '{}' where table_name = %L;
          update service.%I set %s;
          %s
        end if;
        return null;
      end
      $body$,
      statements[1], coalesce(owned[1], ''), statements[2], coalesce(owned[2], ''),
      statements[3], coalesce(owned[3], ''), tally.table_name, tally.tally_name, zeros,
      case
        when owned_by is null then ''
        else format('delete from service.owner_counts where table_name = %L;', tally.table_name)
      end
    )
  );
  execute format('revoke execute on function service.%I() from public', tally.tally_name);

  -- Tells the function above that a counted value has changed. What it says is true until the transaction ends: a
  -- trigger of the app's own may update the table before the function is called.
  select string_agg(distinct format('old.%1$I is distinct from new.%1$I', value ->> 0), ' or ')
  into moved
  from jsonb_each(tally.counts);
  if moved is null then
    return;
  end if;
  execute format(
    'create or replace function service.%I() returns trigger language plpgsql as %L',
    service.moves_function(tally.tally_name),
    format(
      $body$
      begin
        if %s then
          perform pg_catalog.set_config('service.tally_moves', 'true', true);
        end if;
        return null;
      end
      $body$,
      moved
    )
  );
  execute format(
    'revoke execute on function service.%I() from public',
    service.moves_function(tally.tally_name)
  );
end
$$;

-- After `alter table … rename to …`.
create or replace procedure service.rename_tally(former_table text, table_name text, tally_name text)
language plpgsql
as $$
declare
  former_name text;
  tally regclass;
  key_name text;
  key_given text;
  sequence_name text;
  sequence_given text;
begin
  select one.tally_name into strict former_name
  from service.tallies as one
  where one.table_name = former_table
  for update;
  update service.tallies as one
  set table_name = rename_tally.table_name, tally_name = rename_tally.tally_name
  where one.table_name = former_table;

  if former_name <> tally_name then
    execute format('alter table service.%I rename to %I', former_name, tally_name);
    execute format('alter function service.%I() rename to %I', former_name, tally_name);
    if to_regproc(format('service.%I', service.moves_function(former_name))) is not null then
      execute format(
        'alter function service.%I() rename to %I',
        service.moves_function(former_name), service.moves_function(tally_name)
      );
    end if;
    tally := format('service.%I', tally_name)::regclass;
    select conname into strict key_name
    from pg_constraint
    where conrelid = tally and contype = 'p';
    key_given := service.name_given(tally, null, 'pkey', key_name);
    if key_given <> key_name then
      execute format('alter table %s rename constraint %I to %I', tally, key_name, key_given);
    end if;
    select relname into strict sequence_name
    from pg_class
    where oid = pg_get_serial_sequence(tally::text, 'slot')::regclass;
    sequence_given := service.name_given(tally, 'slot', 'seq', sequence_name);
    if sequence_given <> sequence_name then
      execute format('alter sequence service.%I rename to %I', sequence_name, sequence_given);
    end if;
    call service.name_not_nulls_of(tally);
  end if;
  call service.write_tally_triggers(table_name);
end
$$;

-- Before or after `drop table`; nothing happens where there is no tally.
create or replace procedure service.drop_tally(table_name text)
language plpgsql
as $$
declare
  tally_name text;
  trigger_name text;
begin
  delete from service.tallies as one
  where one.table_name = drop_tally.table_name
  returning one.tally_name into tally_name;
  if not found then
    return;
  end if;

  if to_regclass(format('public.%I', table_name)) is not null then
    foreach trigger_name in array
      array['tally_insert', 'tally_update', 'tally_moves', 'tally_delete', 'tally_truncate']
    loop
      execute format('drop trigger if exists %I on public.%I', trigger_name, table_name);
    end loop;
  end if;
  execute format('drop function service.%I()', tally_name);
  execute format('drop function if exists service.%I()', service.moves_function(tally_name));
  execute format('drop table service.%I', tally_name);
end
$$;

create or replace view service.unkept_tallies as
select table_name
from service.tallies
where (
  select count(*)
  from pg_trigger
  where tgrelid = to_regclass(format('public.%I', table_name))
    and tgname in ('tally_insert', 'tally_update', 'tally_moves', 'tally_delete', 'tally_truncate')
    and tgenabled in ('O', 'A')
) < case counts when '{}' then 3 else 5 end;

-- One table after another, so that no more than one is locked, and none for long.
create procedure service.renew_tallies()
language plpgsql
as $$
declare
  counted_table text;
begin
  for counted_table in
    select table_name
    from service.tallies
    where to_regclass(format('public.%I', table_name)) is not null
      and array(
        select tgname::text
        from pg_trigger
        where tgrelid = to_regclass(format('public.%I', table_name))
          and tgname in ('tally_moves', 'tally_update')
        order by 1
      ) <> case counts when '{}' then '{}' else '{tally_moves,tally_update}' end::text[]
  loop
    perform set_config('lock_timeout', '100ms', true);
    execute format('lock table public.%I in share row exclusive mode', counted_table);
    call service.write_tally_triggers(counted_table);
    commit;
  end loop;
end
$$;

-- @alone
call service.renew_tallies();

-- @transaction
drop procedure service.renew_tallies();
