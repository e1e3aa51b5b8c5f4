-- What it takes to change tables that have rows and are being written to: tallies that learn to count
-- more, everything that bears the name of a table or a column, and checks of values. The app's
-- migrations call these.

-- Names of the tally's columns (`total` too) that lack the rows of before they were kept.
alter table service.tallies add column uncounted text[] collate "C" not null default '{}';

-- As in 0002, and `truncate` leaves nothing uncounted. It takes the register's row before the slots,
-- as everybody does who takes both.
create procedure service.write_tally_function(counted_table text)
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
  statements text[] := '{}';
begin
  select * into strict tally from service.tallies where table_name = counted_table;

  -- A column may be called like a variable of plpgsql, so the values get names of their own.
  select
    coalesce(string_agg(distinct format('new_rows.%I as %I, ', name, 'v_' || md5(name)), ''), ''),
    coalesce(string_agg(distinct format('old_rows.%I as %I, ', name, 'v_' || md5(name)), ''), '')
  into new_values, old_values
  from (select value ->> 0 as name from jsonb_each(tally.counts)) as counted;

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
  ) as number;

  -- What does not change a number leaves the slots alone.
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

  -- Whoever may write the table need have no right to its tally.
  execute format(
    'create or replace function service.%I() returns trigger
     language plpgsql security definer set search_path = pg_catalog, pg_temp
     as %L',
    tally.tally_name,
    format(
      $body$
      begin
        if tg_op = 'INSERT' then %s
        elsif tg_op = 'UPDATE' then %s
        elsif tg_op = 'DELETE' then %s
        else
          update service.tallies set uncounted = '{}' where table_name = %L;
          update service.%I set %s;
        end if;
        return null;
      end
      $body$,
      statements[1], statements[2], statements[3], tally.table_name, tally.tally_name, zeros
    )
  );
  execute format('revoke execute on function service.%I() from public', tally.tally_name);
end
$$;

create or replace procedure service.write_tally_triggers(counted_table text)
language plpgsql
as $$
declare
  tally service.tallies;
begin
  call service.write_tally_function(counted_table);
  select * into strict tally from service.tallies where table_name = counted_table;
  execute format(
    $triggers$
      create or replace trigger tally_insert after insert on public.%1$I
        referencing new table as new_rows
        for each statement execute function service.%2$I();
      create or replace trigger tally_update after update on public.%1$I
        referencing old table as old_rows new table as new_rows
        for each statement execute function service.%2$I();
      create or replace trigger tally_delete after delete on public.%1$I
        referencing old table as old_rows
        for each statement execute function service.%2$I();
      create or replace trigger tally_truncate after truncate on public.%1$I
        for each statement execute function service.%2$I();
    $triggers$,
    tally.table_name, tally.tally_name
  );
end
$$;

-- The functions of tallies that are there; no writer waits for that.
do $$
declare
  counted_table text;
begin
  for counted_table in select table_name from service.tallies loop
    call service.write_tally_function(counted_table);
  end loop;
end
$$;

-- As in 0002, and leaves nothing uncounted.
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
  from jsonb_each(tally.counts);

  execute format('delete from service.%I', tally.tally_name);
  execute format(
    'insert into service.%I (slot, total%s) select 0, count(*)%s from public.%I',
    tally.tally_name, names, numbers, tally.table_name
  );
  execute format('insert into service.%I (slot) select generate_series(1, 15)', tally.tally_name);
end
$$;

create or replace procedure service.create_tally(table_name text, tally_name text, counts jsonb)
language plpgsql
as $$
begin
  call service.change_tally(table_name, tally_name, counts);
  call service.recount(table_name);
end
$$;

-- Brings a table's tally to exactly these counts, or makes it where there is none. New numbers are
-- kept from here on and lack the rows that are there already, until those are counted:
--
--   begin; call service.change_tally(…); commit;
--   select service.uncounted_numbers('products') as numbers;
--   call service.add_numbers('products', numbers);
--
-- Only the first holds up writers, and it counts nothing. Where that was cut off, the last two may be
-- run at any later time. They need no snapshot but their own, and must not take one from before the
-- commit: that shows the register as it was.
create procedure service.change_tally(table_name text, tally_name text, counts jsonb)
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
  where kept.value is null or wanted.value is null;
  if alterations is not null then
    execute format('alter table service.%I %s', tally_name, alterations);
  end if;

  -- Whatever the slots hold of a number that means something else now is made good with the rest.
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

create procedure service.create_slots(tally_name text, counted text[])
language plpgsql
as $$
declare
  number_columns text;
begin
  select coalesce(string_agg(format(', %I bigint not null default 0', name), '' order by at), '')
  into number_columns
  from unnest(counted) with ordinality as number (name, at);

  -- A slot is written over and over: the room in its page lets the old versions go at once.
  execute format(
    'create table service.%I (
      slot bigint generated by default as identity (minvalue 0 start 16) primary key,
      total bigint not null default 0 %s
    ) with (fillfactor = 10)',
    tally_name, number_columns
  );
  execute format('insert into service.%I (slot) select generate_series(0, 15)', tally_name);
end
$$;

-- Whether a tally's table may soon have no room for columns. It can have 1600, and a dropped one counts
-- as well; there are 200 numbers at most.
create function service.is_worn(tally_name text, counts jsonb) returns boolean
language sql stable
return (
  select max(attnum)
  from pg_attribute
  where attrelid = format('service.%I', tally_name)::regclass
) + (
  select count(*)
  from jsonb_object_keys(counts) as name
  where not exists (
    select
    from pg_attribute
    where attrelid = format('service.%I', tally_name)::regclass and attname = name
  )
) > 1200;

-- Makes a tally's table anew, without what dropped columns leave there, for the same owner and readers.
-- The numbers go along, so that lists have their totals, but are to be counted: a transaction with an
-- old snapshot misses some.
create procedure service.remake_slots(tally_name text)
language plpgsql
as $$
declare
  former pg_class;
  names text[];
  sums text;
  numbers jsonb;
  privilege record;
begin
  select * into strict former from pg_class where oid = format('service.%I', tally_name)::regclass;
  select
    coalesce(array_agg(attname::text order by attnum) filter (where attname <> 'total'), '{}'),
    string_agg(format('coalesce(sum(%I), 0) as %1$I', attname), ', ')
  into names, sums
  from pg_attribute
  where attrelid = former.oid and attnum > 0 and not attisdropped and attname <> 'slot';
  execute format(
    'select to_jsonb(sums) from (select %s from service.%I) as sums', sums, tally_name
  )
  into strict numbers;

  execute format('drop table service.%I', tally_name);
  call service.create_slots(tally_name, names);
  execute format(
    'update service.%I set %s where slot = 0',
    tally_name,
    (select string_agg(format('%I = %L', key, value), ', ') from jsonb_each_text(numbers))
  );
  execute format('alter table service.%I owner to %s', tally_name, former.relowner::regrole);
  for privilege in
    select
      privilege_type,
      case grantee when 0 then 'public' else grantee::regrole::text end as reader,
      case when is_grantable then 'with grant option' else '' end as option
    from aclexplode(former.relacl)
  loop
    execute format(
      'grant %s on service.%I to %s %s',
      privilege.privilege_type, tally_name, privilege.reader, privilege.option
    );
  end loop;
end
$$;

-- What the uncounted numbers lack: {"total": 10, "status__live": 3}; {} for nothing. One pass over the
-- table. One snapshot shows the rows and all that the slots have of them, so the difference is the
-- same at every moment, however many write.
create function service.uncounted_numbers(table_name text) returns jsonb
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
  if tally.uncounted = '{}' then
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
  from unnest(tally.uncounted) as name;
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

-- Adds what was uncounted, and nothing to what is counted by now (`truncate`, `service doctor --repair`).
-- It makes a slot of its own, as a writer does who finds none free, and so waits for no writer, nor any
-- for it. Refuses numbers that leave something uncounted.
create procedure service.add_numbers(table_name text, numbers jsonb)
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

  if not numbers ?& tally.uncounted then
    raise exception 'The rows of % are not all counted: of %, there is %',
      table_name, tally.uncounted, numbers;
  end if;
  if tally.uncounted = '{}' then
    return;
  end if;

  select
    string_agg(format('%I', name), ', ' order by name),
    string_agg(format('%L', numbers ->> name), ', ' order by name)
  into names, amounts
  from unnest(tally.uncounted) as name;
  execute format('insert into service.%I (%s) values (%s)', tally.tally_name, names, amounts);
  update service.tallies as one
  set uncounted = '{}'
  where one.table_name = add_numbers.table_name;
end
$$;

-- After `alter table … rename to …`.
create procedure service.rename_tally(former_table text, table_name text, tally_name text)
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

-- After `alter table … rename column …`. `renamed` has the tally's columns, former name to new one:
-- {"status__live": "state__live"}.
create procedure service.rename_counts(
  table_name text, former_column text, column_name text, renamed jsonb
)
language plpgsql
as $$
declare
  tally service.tallies;
  former_name text;
  new_name text;
begin
  select * into strict tally
  from service.tallies as one
  where one.table_name = rename_counts.table_name
  for update;
  for former_name, new_name in select key, value from jsonb_each_text(renamed) loop
    execute format(
      'alter table service.%I rename column %I to %I', tally.tally_name, former_name, new_name
    );
  end loop;

  update service.tallies as one
  set
    counts = (
      select
        coalesce(
          jsonb_object_agg(
            coalesce(renamed ->> key, key),
            case value ->> 0
              when former_column then jsonb_build_array(column_name, value -> 1)
              else value
            end
          ),
          '{}'
        )
      from jsonb_each(tally.counts)
    ),
    uncounted = array(
      select coalesce(renamed ->> name, name)
      from unnest(tally.uncounted) as name
      order by 1
    )
  where one.table_name = rename_counts.table_name;
  call service.name_not_nulls_of(format('service.%I', tally.tally_name)::regclass);
  call service.write_tally_triggers(table_name);
end
$$;

-- Before or after `drop table`; nothing happens where there is no tally.
create procedure service.drop_tally(table_name text)
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
      array['tally_insert', 'tally_update', 'tally_delete', 'tally_truncate']
    loop
      execute format('drop trigger if exists %I on public.%I', trigger_name, table_name);
    end loop;
  end if;
  execute format('drop function service.%I()', tally_name);
  execute format('drop table service.%I', tally_name);
end
$$;

-- Registers what is searched: no columns, no index. `next_name` is an index that was built beside the
-- one in use, which it replaces; where there is none (no pg_trgm, say), an index over other columns
-- goes, and `service doctor` tells that one is missing.
create procedure service.change_search_index(
  table_name text, index_name text, columns text[], next_name text
)
language plpgsql
as $$
declare
  former service.search_indexes;
  next_is_built boolean := cardinality(columns) > 0 and exists (
    select
    from pg_index
    where indexrelid = to_regclass(format('public.%I', next_name)) and indisvalid
  );
begin
  delete from service.search_indexes as one
  where one.table_name = change_search_index.table_name
  returning * into former;
  if cardinality(columns) > 0 then
    insert into service.search_indexes values (table_name, index_name, columns);
  end if;

  if next_is_built or former.columns is distinct from columns then
    execute format('drop index if exists public.%I', index_name);
  end if;
  if next_is_built then
    execute format('alter index public.%I rename to %I', next_name, index_name);
  else
    execute format('drop index if exists public.%I', next_name);
  end if;
end
$$;

-- After `alter table … rename to …`.
create procedure service.rename_search_index(
  former_table text, table_name text, index_name text
)
language plpgsql
as $$
declare
  former_name text;
begin
  select one.index_name into strict former_name
  from service.search_indexes as one
  where one.table_name = former_table
  for update;
  update service.search_indexes as one
  set table_name = rename_search_index.table_name, index_name = rename_search_index.index_name
  where one.table_name = former_table;
  if former_name <> index_name then
    execute format('alter index if exists public.%I rename to %I', former_name, index_name);
  end if;
end
$$;

-- After `alter table … rename column …`; the index itself follows the column.
create procedure service.rename_searched_column(
  table_name text, former_column text, column_name text
)
language sql
begin atomic
  update service.search_indexes as one
  set columns = array_replace(one.columns, former_column, column_name)
  where one.table_name = rename_searched_column.table_name;
end;

-- Before or after `drop table`; nothing happens where there is no search index.
create procedure service.drop_search_index(table_name text)
language plpgsql
as $$
declare
  index_name text;
begin
  delete from service.search_indexes as one
  where one.table_name = drop_search_index.table_name
  returning one.index_name into index_name;
  if found then
    execute format('drop index if exists public.%I', index_name);
  end if;
end
$$;

-- Whether the text can become a value of a column of that type. The pattern does without backslashes,
-- which mean something else where `standard_conforming_strings` is off.
create function service.reads_as(value text, type text) returns boolean
language plpgsql stable
as $$
begin
  if type !~ '^(bigint|boolean|date|double precision|numeric[(][0-9]+, ?[0-9]+[)]|text|timestamptz[(][0-9][)]|uuid)$'
  then
    raise exception 'service.reads_as knows no type %', type;
  end if;
  begin
    execute format('select $1::%s', type) using value;
    return true;
  exception when data_exception then
    return false;
  end;
end
$$;

-- From PostgreSQL 18 on, `not null` has names that say table and column, and keeps them when those get
-- others. This gives them the names that a new table's have; after a rename.
create procedure service.name_not_nulls(table_name text)
language plpgsql
as $$
begin
  call service.name_not_nulls_of(format('public.%I', table_name)::regclass);
end
$$;

create procedure service.name_not_nulls_of(relation regclass)
language plpgsql
as $$
declare
  not_null record;
begin
  if not exists (
    select
    from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where conrelid = relation
      and contype = 'n'
      and conname <> service.name_given(relation, attname, 'not_null', conname)
  ) then
    return;
  end if;

  -- Two that change places pass through names that nobody has.
  for not_null in
    select oid, conname from pg_constraint where conrelid = relation and contype = 'n'
  loop
    execute format(
      'alter table %s rename constraint %I to %I',
      relation, not_null.conname, 'not_null_' || not_null.oid
    );
  end loop;
  for not_null in
    select conname, attname
    from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where conrelid = relation and contype = 'n'
    order by attnum
  loop
    execute format(
      'alter table %s rename constraint %I to %I',
      relation,
      not_null.conname,
      service.name_given(relation, not_null.attname, 'not_null', not_null.conname)
    );
  end loop;
end
$$;

-- The name that PostgreSQL by itself gives to a constraint or sequence of a table, whose own is `own`
-- so far: the longer part is cut until all fits, and a number follows where it is taken.
create function service.name_given(relation regclass, column_name text, label text, own text)
returns text
language plpgsql stable
as $$
declare
  relation_name text;
  schema_id oid;
  first text;
  second text;
  last text;
begin
  select relname, relnamespace into strict relation_name, schema_id
  from pg_class
  where oid = relation;
  for at in 0..9999 loop
    first := relation_name;
    second := coalesce('_' || column_name, '');
    last := '_' || label || coalesce(nullif(at, 0)::text, '');
    while octet_length(first || second || last) > 63 loop
      if octet_length(first) >= octet_length(second) then
        first := left(first, -1);
      else
        second := left(second, -1);
      end if;
    end loop;
    exit when first || second || last = own or not exists (
      select from pg_class where relnamespace = schema_id and relname = first || second || last
      union all
      select
      from pg_constraint
      where connamespace = schema_id and conname = first || second || last
    );
  end loop;
  return first || second || last;
end
$$;

-- What depends on a column beside its own default and `not null`, and so would go with it, or keep it
-- from going. `own` names constraints and indexes of the table that are left out. Of functions, only
-- bodies that begin with `begin atomic` tell PostgreSQL what they depend on.
create function service.objects_on(table_name text, column_name text, own text[])
returns table (object text)
language sql stable
begin atomic
  with place as (
    select attrelid, attnum, attacl
    from pg_attribute
    where attrelid = format('public.%I', table_name)::regclass
      and attname = column_name
      and not attisdropped
  ),
  dependent as (
    select classid, objid, objsubid
    from place
    join pg_depend
      on refclassid = 'pg_class'::regclass and refobjid = attrelid and refobjsubid = attnum
    where not exists (
        select
        from pg_constraint
        where classid = 'pg_constraint'::regclass
          and oid = objid
          and conrelid = attrelid
          and (contype = 'n' or conname = any (own))
      )
      and not exists (
        select
        from pg_index
        join pg_class on pg_class.oid = indexrelid
        where classid = 'pg_class'::regclass
          and indexrelid = objid
          and indrelid = attrelid
          and relname = any (own)
      )
      and not exists (
        select
        from pg_attrdef
        where classid = 'pg_attrdef'::regclass
          and oid = objid
          and adrelid = attrelid
          and adnum = attnum
      )
  ),
  told as (
    -- A view depends by its rule, a generated column by what it is generated from.
    select
      case
        when ev_class is not null then pg_describe_object('pg_class'::regclass, ev_class, 0)
        when adrelid is not null then pg_describe_object('pg_class'::regclass, adrelid, adnum)
        else pg_describe_object(classid, objid, objsubid)
      end as object
    from dependent
    left join pg_rewrite
      on classid = 'pg_rewrite'::regclass and pg_rewrite.oid = objid and rulename = '_RETURN'
    left join pg_attrdef on classid = 'pg_attrdef'::regclass and pg_attrdef.oid = objid
    union
    select
      'privileges of ' || case grantee when 0 then 'public' else grantee::regrole::text end
    from place
    cross join aclexplode(attacl)
    union
    select 'comment on ' || pg_describe_object('pg_class'::regclass, attrelid, attnum)
    from place
    where col_description(attrelid, attnum) is not null
    union
    -- Of the index that tells rows apart in logical replication, its owner's or not.
    select 'replica identity of ' || pg_describe_object('pg_class'::regclass, attrelid, 0)
    from place
    join pg_index on indrelid = attrelid and indisreplident and attnum = any (indkey)
  )
  select told.object from told order by told.object collate "C";
end;
