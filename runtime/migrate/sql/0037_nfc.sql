-- Texts are stored in Unicode NFC, so that what looks the same is the same. Records of former releases are brought to it
-- in batches, without moving `updated_at` and without a trace in the log of changes.

-- Compatibility ideographs stay: NFC would replace them by others, and Japanese names are written with them.
create function service.nfc(value text) returns text
language plpgsql immutable parallel safe strict
as $$
begin
  if value is nfc normalized then
    return value;
  end if;
  if value !~ '[\uF900-\uFAFF\U0002F800-\U0002FA1F]' then
    return normalize(value, nfc);
  end if;
  return (
    select string_agg(case when kept is null then normalize(other, nfc) else kept end, '' order by at)
    from regexp_matches(
      value, '([\uF900-\uFAFF\U0002F800-\U0002FA1F]+)|([^\uF900-\uFAFF\U0002F800-\U0002FA1F]+)', 'g'
    ) with ordinality as part (groups, at)
    cross join lateral (values (groups[1], groups[2])) as one (kept, other)
  );
end
$$;

-- SQL that is true for a row whose text in that column is not in NFC; fast for those that are.
create function service.not_nfc(column_name text) returns text
language sql immutable
return format('(%1$I is not nfc normalized and service.nfc(%1$I) <> %1$I collate "C")', column_name);

-- The tables of resources with their strings and texts, which no other columns have the collation of.
create function service.text_columns() returns table (table_name text, columns text[])
language sql stable
begin atomic
  select tallies.table_name, array_agg(attname::text order by attnum)
  from service.tallies
  join pg_attribute on attrelid = to_regclass(format('public.%I', tallies.table_name))
  where attnum > 0 and not attisdropped and attgenerated = ''
    and atttypid = 'text'::regtype and attcollation = '"und-x-icu"'::regcollation
  group by tallies.table_name
  order by tallies.table_name collate "C";
end;

-- Stores the texts of the rows from the first id to the last in NFC. What a constraint refuses stays as it is.
create procedure service.store_nfc(table_name text, columns text[], first_id uuid, last_id uuid)
language plpgsql
as $$
declare
  own regclass := format('public.%I', table_name);
  rows_of text := format('update %s set %%s where id between $1 and $2 and %%s', own);
  last_change bigint := (select last_value from service.changes_new_seq_seq);
  one uuid;
  name text;
begin
  begin
    execute format(
      rows_of,
      (select string_agg(format('%1$I = service.nfc(%1$I)', one_name), ', ') from unnest(columns) as one_name),
      (select format('(%s)', string_agg(service.not_nfc(one_name), ' or ')) from unnest(columns) as one_name)
    ) using first_id, last_id;
  exception when integrity_constraint_violation or raise_exception then
    foreach name in array columns loop
      for one in execute
        format('select id from %s where id between $1 and $2 and %s order by id', own, service.not_nfc(name))
        using first_id, last_id
      loop
        begin
          execute format(rows_of, format('%1$I = service.nfc(%1$I)', name), 'true') using one, one;
        exception when integrity_constraint_violation or raise_exception then
          -- It is named once all batches are done.
        end;
      end loop;
    end loop;
  end;

  -- Nobody has seen them: they were made in this transaction.
  delete from service.changes_new
  where seq >= last_change and tx = pg_current_xact_id() and op = 'update'
    and resource in (
      select split_part(encode(tgargs, 'escape'), '\000', 1)
      from pg_trigger
      where tgrelid = own and tgname = 'change_log'
    );
end
$$;

-- Warns of the texts of a table that are not in NFC after all: of the first twenty by their ids, and those of the records
-- that have the same text in NFC.
create procedure service.warn_of_texts(table_name text, columns text[])
language plpgsql
as $$
declare
  own regclass := format('public.%I', table_name);
  name text;
  left_over record;
  others uuid[];
begin
  foreach name in array columns loop
    for left_over in execute format(
      'select id, count(*) over () as total, row_number() over (order by id) as place
       from %s where %s order by id limit 21', own, service.not_nfc(name)
    ) loop
      if left_over.place > 20 then
        raise warning '%.%: % more texts stay as they are, not in Unicode NFC',
          table_name, name, left_over.total - 20;
        exit;
      end if;
      execute (
        select format(
          'select array_agg(other.id order by other.id) from %1$s as own join %1$s as other on other.id <> own.id and (%2$s) where own.id = $1',
          own,
          coalesce(string_agg(same, ' or '), 'false')
        )
        from (
          select format(
            '(%s)',
            string_agg(
              case
                when attname = name then format('other.%1$I = service.nfc(own.%1$I)', attname)
                else format('other.%1$I = own.%1$I', attname)
              end,
              ' and '
            )
          ) as same
          from pg_index
          join pg_depend on classid = 'pg_class'::regclass and objid = indexrelid
            and refclassid = 'pg_class'::regclass and refobjid = indrelid and refobjsubid > 0
          join pg_attribute on attrelid = indrelid and attnum = refobjsubid
          where indrelid = own and indisunique
          group by indexrelid
          having bool_or(attname = name)
        ) as by_index
      ) into others using left_over.id;
      if others is null then
        raise warning '%.% of % stays as it is, not in Unicode NFC: the table refuses the other form',
          table_name, name, left_over.id;
      else
        raise warning '%.% of % stays as it is: in Unicode NFC it would be that of %',
          table_name, name, left_over.id, array_to_string(others, ', ');
      end if;
    end loop;
  end loop;
end
$$;

-- @steps
select
  format('batches %I', table_name) as directive,
  format('call service.store_nfc(%L, %L, $1, $2)', table_name, columns) as sql
from service.text_columns()
union all
select
  'transaction',
  format('call service.warn_of_texts(%L, %L)', table_name, columns)
from service.text_columns();

-- @transaction
update service.users set name = service.nfc(name) where name is not nfc normalized;
