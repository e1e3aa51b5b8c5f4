-- The results of expressions in descriptors. Each gives null for what a field of the kind cannot hold, so that no stored
-- value makes a statement fail. PostgreSQL puts short expressions in the place of a call.

-- Whole numbers that a JSON number holds exactly; a half is rounded away from zero.
create function service.computed_integer(value numeric) returns bigint
language sql immutable parallel safe
return case when abs(round(value)) <= 9007199254740991 then round(value)::bigint end;

-- At most 15 digits: the cast from double precision leaves no more.
create function service.computed_decimal(value numeric, places integer) returns numeric
language sql immutable parallel safe
return case
  when abs(round(value, places)) < 1e15
    then case
      when round(value, places)::double precision::numeric = round(value, places) then round(value, places)
    end
end;

-- What is nearer to 0 than to any other double becomes 0; the cast would fail.
create function service.computed_double(value numeric) returns double precision
language sql immutable parallel safe
return case
  when abs(value) < 2.5e-324 then 0::double precision
  when abs(value) <= 1.7976931348623157e308 then value::double precision
end;

create function service.computed_text(value text, longest integer) returns text
language sql immutable parallel safe
return case when length(value) between 1 and longest then value end;

-- A number of characters or places, as functions take it.
create function service.computed_position(value numeric) returns integer
language sql immutable parallel safe
return case when abs(value) <= 2147483647 then case when value = trunc(value) then value::integer end end;

-- to_char depends on settings of the session, and cannot be in an index.
create function service.computed_day(value date) returns text
language sql immutable parallel safe
return lpad(extract(year from value)::text, 4, '0')
  || '-' || lpad(extract(month from value)::text, 2, '0')
  || '-' || lpad(extract(day from value)::text, 2, '0');
