-- Allows the conversion of text to `jsonb`.

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
