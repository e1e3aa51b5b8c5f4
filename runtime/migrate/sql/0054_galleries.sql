-- Lists of files: their keys are in a table of entries, as the ids of a list of links are. When a record is deleted, they are
-- kept with it in the trash, which uses the files from then on.

create function service.keep_deleted_files() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  own text;
begin
  select relname into own
  from pg_constraint
  join pg_attribute on attrelid = conrelid and attnum = conkey[1] and attname = 'record_id'
  join pg_class on pg_class.oid = confrelid
  where conrelid = tg_relid and contype = 'f';
  update service.trash
  set files = coalesce(files, '{}') || lost.keys
  from (select record_id, array_agg(target_id) as keys from old_rows group by record_id) as lost
  where trash.table_name = own and trash.id = lost.record_id and trash.tx = pg_current_xact_id();
  return null;
end
$$;

revoke execute on function service.keep_deleted_files() from public;

-- Keeps the column and the entries in sync from now on.
create procedure service.keep_files(table_name text, column_name text, entries text)
language plpgsql
as $$
begin
  call service.keep_list(table_name, column_name, entries);
  execute format(
    'create or replace trigger entries_files after delete on public.%I
       referencing old table as old_rows
       for each statement execute function service.keep_deleted_files()',
    entries
  );
end
$$;
