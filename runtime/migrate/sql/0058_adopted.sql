-- Tables that were there before the app get triggers that count their rows, and nothing else: no default of their id,
-- no trigger that sets `updated_at`.

create or replace function service.follow_new_tally() returns trigger
language plpgsql
as $$
begin
  if current_setting('service.adopts', true) is distinct from 'on' then
    call service.give_id_default(new.table_name);
  end if;
  return null;
end
$$;

create or replace function service.follow_new_changes() returns trigger
language plpgsql
as $$
begin
  if current_setting('service.adopts', true) is distinct from 'on' then
    call service.follow_changes(new.table_name);
  end if;
  return null;
end
$$;

-- `service.change_tally` for an adopted table. All triggers of the package then fire in sessions of replication, too.
create procedure service.adopt_tally(table_name text, tally_name text, counts jsonb)
language plpgsql
as $$
declare
  own regclass := service.table_sql(table_name)::regclass;
  trigger_names text[] := array[
    'tally_insert', 'tally_update', 'tally_moves', 'tally_delete', 'tally_truncate'
  ];
  trigger_name text;
begin
  select tgname into trigger_name
  from pg_trigger
  where tgrelid = own and tgname = any (trigger_names)
    and tgfoid not in (select oid from pg_proc where pronamespace = 'service'::regnamespace);
  if found then
    raise exception 'the table % has another trigger %', table_name, trigger_name
      using hint = 'rename that trigger';
  end if;

  perform set_config('service.adopts', 'on', true);
  call service.change_tally(table_name, tally_name, counts);
  perform set_config('service.adopts', 'off', true);
  call service.fire_always(table_name);
end
$$;

-- As before, for tables of any schema.
create or replace procedure service.change_tally(table_name text, tally_name text, counts jsonb)
language plpgsql
as $$
declare
  former service.tallies;
  alterations text;
begin
  execute format('lock table %s in share row exclusive mode', service.table_sql(table_name));
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

create or replace procedure service.recount(counted_table text)
language plpgsql
as $$
declare
  tally service.tallies;
  names text;
  numbers text;
begin
  execute format('lock table %s in share row exclusive mode', service.table_sql(counted_table));
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
    'insert into service.%I (slot, total%s) select 0, count(*)%s from %s',
    tally.tally_name, names, numbers, service.table_sql(counted_table)
  );
  execute format('insert into service.%I (slot) select generate_series(1, 15)', tally.tally_name);

  delete from service.owner_counts as kept where kept.table_name = counted_table;
  if tally.counts ? 'owner' then
    execute format(
      'insert into service.owner_counts (owner, table_name, slot, total)
       select %1$I, %2$L, 0, count(*) from %3$s group by %1$I',
      tally.counts -> 'owner' ->> 0, counted_table, service.table_sql(counted_table)
    );
  end if;
end
$$;

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
       from (select %s from service.%I) as kept, (select %s from %s) as found
     ) as lacks',
    lacks, sums, tally.tally_name, numbers, service.table_sql(tally.table_name)
  )
  into strict result;
  return result;
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
          (select to_jsonb(counts) from (select count(*) as total %4$s from %5$s) as counts)
            as found (numbers),
          jsonb_each_text(found.numbers) as number
        where number.value is distinct from coalesce(kept.numbers ->> number.key, '0')
        order by number.key
      $query$,
      tally.table_name, tally.tally_name, sums, numbers, service.table_sql(tally.table_name)
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
          from (select %2$I as owner, count(*) as rows from %3$s group by %2$I) as found
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
        tally.table_name, tally.counts -> 'owner' ->> 0, service.table_sql(tally.table_name)
      );
    end if;
  end loop;
end
$$;

create or replace procedure service.add_owners(table_name text)
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
     from (select %1$I as owner, count(*) as rows from %3$s group by %1$I) as found
     full join (
       select owner, sum(total) as rows
       from service.owner_counts
       where table_name = %2$L
       group by owner
     ) as kept using (owner)
     where coalesce(found.rows, 0) <> coalesce(kept.rows, 0)',
    tally.counts -> 'owner' ->> 0, table_name, service.table_sql(table_name), own_slot
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

create or replace procedure service.write_tally_triggers(counted_table text)
language plpgsql
as $$
declare
  own text := service.table_sql(counted_table);
  tally service.tallies;
  trigger_name text;
begin
  call service.write_tally_function(counted_table);
  select * into strict tally from service.tallies where table_name = counted_table;
  execute format(
    $triggers$
      create or replace trigger tally_insert after insert on %1$s
        referencing new table as new_rows
        for each statement execute function service.%2$I();
      create or replace trigger tally_delete after delete on %1$s
        referencing old table as old_rows
        for each statement execute function service.%2$I();
      create or replace trigger tally_truncate after truncate on %1$s
        for each statement execute function service.%2$I();
    $triggers$,
    own, tally.tally_name
  );

  if tally.counts <> '{}' then
    execute format(
      $triggers$
        create or replace trigger tally_moves after update on %1$s
          for each row execute function service.%3$I();
        create or replace trigger tally_update after update on %1$s
          referencing old table as old_rows new table as new_rows
          for each statement execute function service.%2$I();
      $triggers$,
      own, tally.tally_name, service.moves_function(tally.tally_name)
    );
    return;
  end if;
  -- `drop … if exists` would wait for readers also where there is none.
  for trigger_name in
    select tgname
    from pg_trigger
    where tgrelid = own::regclass
      and tgname in ('tally_moves', 'tally_update')
  loop
    execute format('drop trigger %I on %s', trigger_name, own);
  end loop;
  execute format(
    'drop function if exists service.%I()', service.moves_function(tally.tally_name)
  );
end
$$;

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

  if to_regclass(service.table_sql(table_name)) is not null then
    foreach trigger_name in array
      array['tally_insert', 'tally_update', 'tally_moves', 'tally_delete', 'tally_truncate']
    loop
      execute format('drop trigger if exists %I on %s', trigger_name, service.table_sql(table_name));
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
  where tgrelid = to_regclass(service.table_sql(table_name))
    and tgname in ('tally_insert', 'tally_update', 'tally_moves', 'tally_delete', 'tally_truncate')
    and tgenabled in ('O', 'A')
) < case counts when '{}' then 3 else 5 end;
