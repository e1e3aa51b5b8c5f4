-- Tables that were there before the app may hold microseconds, which are not shown, and infinity and years before 1 and
-- after 9999, which are shown as PostgreSQL writes them in JSON.
create or replace function service.iso_time(value timestamptz) returns text
language sql stable parallel safe
return case
  when value >= '0001-01-01 00:00:00Z' and value < '10000-01-01 00:00:00Z' then
    substr(
      to_json(date_trunc('milliseconds', value at time zone interval '0') + interval '100 microseconds')::text, 2, 23
    ) || 'Z'
  else to_json(value) #>> '{}'
end;
