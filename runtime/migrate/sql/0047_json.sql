-- Texts can become JSON: the type `jsonb` is one that values are converted to.

create or replace function service.reads_as(value text, type text) returns boolean
language plpgsql stable
as $$
begin
  if type !~ '^(bigint|boolean|date|double precision|jsonb|numeric[(][0-9]+, ?[0-9]+[)]|text|timestamptz[(][0-9][)]|uuid)$'
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

-- Values of deleted rows are restored as JSON, and not by their texts; whatever else the function does stays.
do $$
declare
  former text := pg_get_functiondef('service.restore_rows(uuid, text)'::regprocedure);
  changed text := regexp_replace(
    former,
    'attnotnull,\n\s+(format.*?) as source',
    E'attnotnull,\n      case\n        when atttypid = ''jsonb''::regtype then format(''nullif(kept.image -> %L, ''''null'''')'', attname)\n        else \\1\n      end as source'
  );
begin
  if changed = former then
    raise exception 'service.restore_rows has no source of values';
  end if;
  execute changed;
end
$$;
