-- Counts by owner: how many rows of a table each account owns, for lists of own records. A tally has them
-- where its counts have "owner", with the column of the owner and no value: {"owner": ["account_id", null]}.

create table service.owner_counts (
  owner uuid not null,
  table_name text collate "C" not null,
  -- The slot of the table's tally that the writer has claimed, so that no two writers wait for each other.
  -- A negative one is of a single transaction.
  slot bigint not null,
  total bigint not null,
  constraint owner_counts_pkey primary key (owner, table_name, slot)
) with (fillfactor = 50);

-- The rows of a table that is dropped or counted by another owner go; those of a renamed one follow.
create function service.follow_tally() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'DELETE' then
    delete from service.owner_counts where table_name = old.table_name;
    return null;
  end if;
  if new.table_name <> old.table_name then
    update service.owner_counts set table_name = new.table_name where table_name = old.table_name;
  end if;
  if old.counts ? 'owner' and (
    not new.counts ? 'owner'
    or (new.counts -> 'owner' <> old.counts -> 'owner' and 'owner' = any (new.uncounted))
  ) then
    delete from service.owner_counts where table_name = new.table_name;
  end if;
  return null;
end
$$;

create trigger tally_owners after update of table_name, counts or delete on service.tallies
  for each row execute function service.follow_tally();

-- What counts nothing any more goes with the account, at the end of the transaction: its records go before. Where
-- the rows are still being counted, what was counted of them so far may not be 0, and stays.
create function service.forget_owner() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  delete from service.owner_counts
  where owner = old.id
    and table_name in (select table_name from service.tallies where uncounted = '{}');
  return null;
end
$$;

create constraint trigger tally_owners after delete on service.users
  deferrable initially deferred
  for each row execute function service.forget_owner();

-- As before, but those by owner have no column.
create or replace procedure service.change_tally(table_name text, tally_name text, counts jsonb)
language plpgsql
as $$
declare
  former service.tallies;
  alterations text;
begin
  execute format('lock table public.%I in share row exclusive mode', table_name);
  select * into former
  from service.tallies as one
  where one.table_name = change_tally.table_name
  for update;

  if not found then
    call service.create_slots(tally_name, '{}');
    insert into service.tallies values (table_name, tally_name, '{}', '{total}')
    returning * into former;
  elsif service.is_worn(tally_name, counts) then
    call service.remake_slots(tally_name);
    former.uncounted := array(select 'total' union all select jsonb_object_keys(counts));
  end if;

  select
    string_agg(
      case
        when wanted.value is null then format('drop column %I', key)
        else format('add column %I bigint not null default 0', key)
      end,
      ', ' order by wanted.value is null, key
    )
  into alterations
  from jsonb_each(former.counts) as kept
  full join jsonb_each(counts) as wanted using (key)
  where (kept.value is null or wanted.value is null)
    and coalesce(kept.value, wanted.value) ->> 1 is not null;
  if alterations is not null then
    execute format('alter table service.%I %s', tally_name, alterations);
  end if;

  -- A number that now means something else is corrected together with the uncounted rows.
  update service.tallies as one
  set
    counts = change_tally.counts,
    uncounted = array(
      select name
      from (
        select 'total' as name
        union all
        select jsonb_object_keys(change_tally.counts)
      ) as number
      where name = any (former.uncounted)
        or change_tally.counts -> name is distinct from former.counts -> name
      order by name
    )
  where one.table_name = change_tally.table_name;
  call service.write_tally_triggers(table_name);
end
$$;

-- The function of a table's triggers, with the counts by owner.
create or replace procedure service.write_tally_function(counted_table text)
language plpgsql
as $$
declare
  tally service.tallies;
  names text;
  sums text;
  moves text;
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
    string_agg(format('%s <> 0', sum), ' or '),
    string_agg(format('%1$I = slot.%1$I + change.%1$I', name), ', '),
    string_agg(format('change.%I', name), ', '),
    string_agg(format('%I = 0', name), ', ')
  into names, sums, moves, added, given, zeros
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
      $merge$
        merge into service.%1$I as slot
        using (
          select
            %2$s,
            case
              when pg_try_advisory_xact_lock(tg_relid::int, mod(pg_backend_pid(), 16))
              then mod(pg_backend_pid(), 16)
              else (
                select slot
                from service.%1$I
                where pg_try_advisory_xact_lock(tg_relid::int, slot::int)
                limit 1
              )
            end as free
          from (%7$s) as changed
          having %3$s
        ) as change
        on slot.slot = change.free
        when matched then
          update set %4$s
        when not matched then
          insert (%5$s) values (%6$s);$merge$,
      tally.tally_name, sums, moves, added, names, given, source
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
      begin
        if tg_op = 'INSERT' then %s %s
        elsif tg_op = 'UPDATE' then %s %s
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
end
$$;

create or replace procedure service.recount(counted_table text)
language plpgsql
as $$
declare
  tally service.tallies;
  names text;
  numbers text;
begin
  execute format('lock table public.%I in share row exclusive mode', counted_table);
  update service.tallies set uncounted = '{}' where table_name = counted_table
  returning * into strict tally;
  select
    coalesce(string_agg(format(', %I', key), '' order by key), ''),
    coalesce(
      string_agg(
        format(', count(*) filter (where %I = %L)', value ->> 0, value ->> 1), '' order by key
      ),
      ''
    )
  into names, numbers
  from jsonb_each(tally.counts)
  where value ->> 1 is not null;

  execute format('delete from service.%I', tally.tally_name);
  execute format(
    'insert into service.%I (slot, total%s) select 0, count(*)%s from public.%I',
    tally.tally_name, names, numbers, tally.table_name
  );
  execute format('insert into service.%I (slot) select generate_series(1, 15)', tally.tally_name);

  delete from service.owner_counts as kept where kept.table_name = counted_table;
  if tally.counts ? 'owner' then
    execute format(
      'insert into service.owner_counts (owner, table_name, slot, total)
       select %1$I, %2$L, 0, count(*) from public.%3$I group by %1$I',
      tally.counts -> 'owner' ->> 0, tally.table_name, tally.table_name
    );
  end if;
end
$$;

-- Without those by owner, which may be many: `add_owners` counts and adds them.
create or replace function service.uncounted_numbers(table_name text) returns jsonb
language plpgsql stable
as $$
declare
  tally service.tallies;
  lacks text;
  sums text;
  numbers text;
  result jsonb;
begin
  select * into strict tally
  from service.tallies as one
  where one.table_name = uncounted_numbers.table_name;
  if array_remove(tally.uncounted, 'owner') = '{}' then
    return '{}';
  end if;

  select
    string_agg(format('found.%1$I - coalesce(kept.%1$I, 0) as %1$I', name), ', '),
    string_agg(format('sum(%I) as %1$I', name), ', '),
    string_agg(
      case name
        when 'total' then 'count(*) as total'
        else format(
          'count(*) filter (where %I = %L) as %I',
          tally.counts -> name ->> 0, tally.counts -> name ->> 1, name
        )
      end,
      ', '
    )
  into lacks, sums, numbers
  from unnest(array_remove(tally.uncounted, 'owner')) as name;
  execute format(
    'select to_jsonb(lacks)
     from (
       select %s
       from (select %s from service.%I) as kept, (select %s from public.%I) as found
     ) as lacks',
    lacks, sums, tally.tally_name, numbers, tally.table_name
  )
  into strict result;
  return result;
end
$$;

create or replace procedure service.add_numbers(table_name text, numbers jsonb)
language plpgsql
as $$
declare
  tally service.tallies;
  names text;
  amounts text;
begin
  select * into strict tally
  from service.tallies as one
  where one.table_name = add_numbers.table_name
  for update;

  if not numbers ?& array_remove(tally.uncounted, 'owner') then
    raise exception 'The rows of % are not all counted: of %, there is %',
      table_name, tally.uncounted, numbers;
  end if;
  if array_remove(tally.uncounted, 'owner') = '{}' then
    return;
  end if;

  select
    string_agg(format('%I', name), ', ' order by name),
    string_agg(format('%L', numbers ->> name), ', ' order by name)
  into names, amounts
  from unnest(array_remove(tally.uncounted, 'owner')) as name;
  execute format('insert into service.%I (%s) values (%s)', tally.tally_name, names, amounts);
  update service.tallies as one
  set uncounted = array(select name from unnest(one.uncounted) as name where name = 'owner')
  where one.table_name = add_numbers.table_name;
end
$$;

-- Counts and adds what the counts by owner lack; one snapshot shows the rows and what is counted of them. The
-- register's row is locked last, as `truncate` does, which locks the table before. Whoever counted the rows
-- meanwhile (`service doctor --repair`) has counted all of them.
create procedure service.add_owners(table_name text)
language plpgsql
as $$
declare
  tally service.tallies;
  own_slot bigint := - pg_current_xact_id()::text::bigint;
begin
  select * into strict tally
  from service.tallies as one
  where one.table_name = add_owners.table_name;
  if 'owner' <> all (tally.uncounted) then
    return;
  end if;

  execute format(
    'insert into service.owner_counts (owner, table_name, slot, total)
     select owner, %2$L, %4$s, coalesce(found.rows, 0) - coalesce(kept.rows, 0)
     from (select %1$I as owner, count(*) as rows from public.%3$I group by %1$I) as found
     full join (
       select owner, sum(total) as rows
       from service.owner_counts
       where table_name = %2$L
       group by owner
     ) as kept using (owner)
     where coalesce(found.rows, 0) <> coalesce(kept.rows, 0)',
    tally.counts -> 'owner' ->> 0, table_name, table_name, own_slot
  );

  select * into strict tally
  from service.tallies as one
  where one.table_name = add_owners.table_name
  for update;
  if 'owner' <> all (tally.uncounted) then
    delete from service.owner_counts as kept
    where kept.table_name = add_owners.table_name and kept.slot = own_slot;
    return;
  end if;
  update service.tallies as one
  set uncounted = array_remove(one.uncounted, 'owner')
  where one.table_name = add_owners.table_name;
end
$$;

create or replace function service.wrong_counts()
returns table (table_name text, counted text, kept bigint, found bigint)
language plpgsql
as $$
declare
  tally service.tallies;
  sums text;
  numbers text;
begin
  for tally in select * from service.tallies as one order by one.table_name loop
    select
      coalesce(string_agg(format(', sum(%I) as %1$I', key), '' order by key), ''),
      coalesce(
        string_agg(
          format(', count(*) filter (where %I = %L) as %I', value ->> 0, value ->> 1, key),
          '' order by key
        ),
        ''
      )
    into sums, numbers
    from jsonb_each(tally.counts)
    where value ->> 1 is not null;
    -- One statement sees both sides as of one moment.
    return query execute format(
      $query$
        select
          %1$L::text,
          coalesce($1 -> number.key ->> 0 || ' = ' || ($1 -> number.key ->> 1), 'all'),
          coalesce((kept.numbers ->> number.key)::bigint, 0),
          number.value::bigint
        from
          (select to_jsonb(sums) from (select sum(total) as total %3$s from service.%2$I) as sums)
            as kept (numbers),
          (select to_jsonb(counts) from (select count(*) as total %4$s from public.%1$I) as counts)
            as found (numbers),
          jsonb_each_text(found.numbers) as number
        where number.value is distinct from coalesce(kept.numbers ->> number.key, '0')
        order by number.key
      $query$,
      tally.table_name, tally.tally_name, sums, numbers
    )
    using tally.counts;

    -- One of many wrong ones says enough.
    if tally.counts ? 'owner' then
      return query execute format(
        $query$
          select
            %1$L::text,
            %2$L || ' = ' || owner,
            coalesce(kept.rows, 0)::bigint,
            coalesce(found.rows, 0)
          from (select %2$I as owner, count(*) as rows from public.%1$I group by %2$I) as found
          full join (
            select owner, sum(total) as rows
            from service.owner_counts
            where table_name = %1$L
            group by owner
          ) as kept using (owner)
          where coalesce(found.rows, 0) <> coalesce(kept.rows, 0)
          order by owner
          limit 1
        $query$,
        tally.table_name, tally.counts -> 'owner' ->> 0
      );
    end if;
  end loop;
end
$$;
