-- A UUID of version 7, in the order of those that servers make: milliseconds first. The 12 bits behind them are the
-- fraction of the millisecond, so that rows of one statement are in its order too.
create function service.uuid_v7() returns uuid
language sql volatile parallel safe
return (
  select (
    lpad(to_hex(micros / 1000), 12, '0')
    || '7' || lpad(to_hex(micros % 1000 * 4096 / 1000), 3, '0')
    -- With its variant, which is the same in every version.
    || substr(replace(gen_random_uuid()::text, '-', ''), 17)
  )::uuid
  from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros) as clock
);

-- Rows that are added by SQL need no id of their own. A default that somebody has set stays.
create procedure service.give_id_default(table_name text)
language plpgsql
as $$
declare
  own regclass := to_regclass(format('public.%I', table_name));
begin
  if exists (
    select from pg_attribute
    where attrelid = own and attname = 'id' and atttypid = 'uuid'::regtype and not atthasdef
  ) then
    execute format('alter table public.%I alter column id set default service.uuid_v7()', table_name);
  end if;
end
$$;

create function service.follow_new_tally() returns trigger
language plpgsql
as $$
begin
  call service.give_id_default(new.table_name);
  return null;
end
$$;

-- Every table of a resource is counted from the transaction on that creates it.
create trigger tally_ids after insert on service.tallies
  for each row execute function service.follow_new_tally();

do $$
declare
  one text;
begin
  for one in select table_name from service.tallies order by 1 loop
    call service.give_id_default(one);
  end loop;
end
$$;
