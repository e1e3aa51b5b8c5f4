-- Times as the API shows them, and the indexes that `q` searches. The app's migrations call the
-- procedures, its statements the functions; `service doctor` reads the register.

create table service.search_indexes (
  table_name text collate "C" not null,
  index_name text collate "C" not null,
  columns text[] collate "C" not null,
  constraint search_indexes_pkey primary key (table_name)
);

-- Text without its case, for searching. The lower case of a sigma depends on what follows it, so both
-- forms become one.
create function service.fold_case(value text) returns text
language sql immutable parallel safe
return translate(lower(value collate "und-x-icu"), 'ς', 'σ');

-- YYYY-MM-DDTHH:mm:ss.sssZ. PostgreSQL writes a time for JSON twice as fast as to_char does. A fourth
-- digit keeps it from dropping three zeros, and is cut off again.
create function service.iso_time(value timestamptz) returns text
language sql stable parallel safe
return substr(
  to_json(value at time zone interval '0' + interval '100 microseconds')::text, 2, 23
) || 'Z';

-- An index for `q` over the texts of some columns. It needs the extension pg_trgm: where that is not
-- available, a warning is raised and searches read the whole table.
create procedure service.create_search_index(table_name text, index_name text, columns text[])
language plpgsql
as $$
begin
  insert into service.search_indexes values (table_name, index_name, columns);
  begin
    create extension if not exists pg_trgm;
    call service.build_search_index(table_name);
  exception when insufficient_privilege or feature_not_supported or undefined_file then
    raise warning 'Searches in % read the whole table: %', table_name, sqlerrm
      using hint = 'have pg_trgm installed and run: service doctor --repair';
  end;
end
$$;

create procedure service.build_search_index(searched_table text)
language plpgsql
as $$
declare
  search service.search_indexes;
  extension_schema text;
begin
  select * into strict search from service.search_indexes where table_name = searched_table;
  select nspname into strict extension_schema
  from pg_extension
  join pg_namespace on pg_namespace.oid = extnamespace
  where extname = 'pg_trgm';
  -- The list of pending entries is kept short (in kB): each search reads all of it, and the write that
  -- fills it sorts it in. With a quarter of this, writes took a twentieth longer.
  execute format(
    'create index if not exists %I on public.%I using gin (%s) with (gin_pending_list_limit = 2048)',
    search.index_name,
    search.table_name,
    (
      select string_agg(
        format('service.fold_case(%I) %I.gin_trgm_ops', name, extension_schema), ', ' order by at
      )
      from unnest(search.columns) with ordinality as searched (name, at)
    )
  );
end
$$;

-- Registers which columns are searched; without columns there is no index. `next_name` is an index that was
-- built while the present one was in use, which it replaces. Where there is no such index (for example
-- without pg_trgm), an index over other columns is dropped, and `service doctor` reports one as missing.
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
