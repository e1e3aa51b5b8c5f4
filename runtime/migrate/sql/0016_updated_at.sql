-- A change by SQL sets when the record was changed, as a write of the API does. That sets it itself, so the function is
-- called for other statements only. Sessions of migrations set service.keeps_updated_at: they change how records are
-- stored.
create function service.set_updated_at() returns trigger
language plpgsql
as $$
begin
  if coalesce(current_setting('service.keeps_updated_at', true), '') <> 'on' then
    new.updated_at := greatest(now(), old.updated_at + interval '1 millisecond');
  end if;
  return new;
end
$$;

-- `updated_at` of a resource's table is a time that is never empty; a table of somebody's own stays as it is.
create procedure service.follow_changes(table_name text)
language plpgsql
as $$
declare
  own regclass := to_regclass(format('public.%I', table_name));
begin
  if exists (
    select
    from pg_attribute
    where attrelid = own and attname = 'updated_at' and atttypid = 'timestamptz'::regtype
  ) then
    execute format(
      'create or replace trigger updated_at before update on public.%I for each row
         when (new.updated_at is not distinct from old.updated_at)
         execute function service.set_updated_at()',
      table_name
    );
  end if;
end
$$;

create function service.follow_new_changes() returns trigger
language plpgsql
as $$
begin
  call service.follow_changes(new.table_name);
  return null;
end
$$;

-- Every table of a resource is counted from the transaction on that creates it.
create trigger tally_changes after insert on service.tallies
  for each row execute function service.follow_new_changes();

do $$
declare
  one text;
begin
  for one in select table_name from service.tallies order by 1 loop
    call service.follow_changes(one);
  end loop;
end
$$;
