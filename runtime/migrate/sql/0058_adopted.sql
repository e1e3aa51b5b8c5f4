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

-- Makes the triggers of an adopted table's tally count the rows that replication writes, too.
create procedure service.count_always(table_name text)
language plpgsql
as $$
declare
  own regclass := format('public.%I', table_name)::regclass;
  trigger_name text;
begin
  for trigger_name in
    select tgname from pg_trigger
    where tgrelid = own and tgenabled <> 'A' and tgname in
      ('tally_insert', 'tally_update', 'tally_moves', 'tally_delete', 'tally_truncate')
  loop
    execute format('alter table %s enable always trigger %I', own, trigger_name);
  end loop;
end
$$;

-- `service.change_tally` for an adopted table. The triggers also count the rows that replication writes.
create procedure service.adopt_tally(table_name text, tally_name text, counts jsonb)
language plpgsql
as $$
declare
  own regclass := format('public.%I', table_name)::regclass;
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
  call service.count_always(table_name);
end
$$;
