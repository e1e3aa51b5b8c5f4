-- The same texts as before, so that no index has to be built again. Counting the characters of a text, to see whether it
-- is ASCII, took half the time of folding it. `to_ascii` replaces every byte above 127, and takes less than half of that
-- time; 8 is LATIN1, one of the encodings that it accepts, and the replacement itself does not matter.
create or replace function service.fold_case(value text) returns text
language sql immutable parallel safe
return case
  when to_ascii(value, 8) = value collate "C" then lower(value collate "C") collate "und-x-icu"
  else translate(lower(value collate "und-x-icu"), 'ς', 'σ')
end;

-- An open session keeps the expression of an index with the former function inlined, which no longer matches what it
-- plans: its searches would read whole tables until it ends. A change of the index makes it read the expression again,
-- unless it uses the index at that moment. Renaming an index stops neither reads nor writes, and needs the same rights
-- as the migrations that made it; an index of another owner is left as it is.
do $$
declare
  index record;
begin
  for index in
    select distinct class.oid, class.relname as name, class.relnamespace::regnamespace as schema
    from pg_depend
    join pg_class as class on class.oid = objid and class.relkind in ('i', 'I')
    where classid = 'pg_class'::regclass
      and refclassid = 'pg_proc'::regclass
      and refobjid = 'service.fold_case(text)'::regprocedure
      and pg_has_role(class.relowner, 'usage')
      and has_schema_privilege(class.relnamespace, 'create')
    order by class.oid
  loop
    begin
      execute format('alter index %s.%I rename to %I', index.schema, index.name, 'renamed ' || index.oid);
      execute format('alter index %s.%I rename to %I', index.schema, 'renamed ' || index.oid, index.name);
    exception when undefined_table then
      -- It was dropped meanwhile.
    end;
  end loop;
end;
$$;
