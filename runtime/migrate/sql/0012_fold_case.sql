-- The same texts as before, so that no index has to be built again. Most texts are ASCII, whose lower case needs
-- neither ICU nor a look at sigmas: measured, about a third of the time, which was most of a search's.
create or replace function service.fold_case(value text) returns text
language sql immutable parallel safe
return case
  when octet_length(value) = char_length(value) then lower(value collate "C") collate "und-x-icu"
  else translate(lower(value collate "und-x-icu"), 'ς', 'σ')
end;
