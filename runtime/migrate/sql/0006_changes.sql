-- Helps the app's migrations change tables that have rows and are in use: checks of values, and the names
-- that contain the name of a table or a column.

-- Whether the text can become a value of a column of that type. The pattern has no backslashes, whose
-- meaning depends on `standard_conforming_strings`.
create function service.reads_as(value text, type text) returns boolean
language plpgsql stable
as $$
begin
  if type !~ '^(bigint|boolean|date|double precision|numeric[(][0-9]+, ?[0-9]+[)]|text|timestamptz[(][0-9][)]|uuid)$'
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

-- From PostgreSQL 18 on, a `not null` constraint is named after its table and column, and keeps that name
-- when they are renamed. This gives it the name that it has in a new table. Call it after a rename.
create procedure service.name_not_nulls(table_name text)
language plpgsql
as $$
begin
  call service.name_not_nulls_of(format('public.%I', table_name)::regclass);
end
$$;

create procedure service.name_not_nulls_of(relation regclass)
language plpgsql
as $$
declare
  not_null record;
begin
  if not exists (
    select
    from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where conrelid = relation
      and contype = 'n'
      and conname <> service.name_given(relation, attname, 'not_null', conname)
  ) then
    return;
  end if;

  -- Two constraints that swap names pass through unused ones.
  for not_null in
    select oid, conname from pg_constraint where conrelid = relation and contype = 'n'
  loop
    execute format(
      'alter table %s rename constraint %I to %I',
      relation, not_null.conname, 'not_null_' || not_null.oid
    );
  end loop;
  for not_null in
    select conname, attname
    from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where conrelid = relation and contype = 'n'
    order by attnum
  loop
    execute format(
      'alter table %s rename constraint %I to %I',
      relation,
      not_null.conname,
      service.name_given(relation, not_null.attname, 'not_null', not_null.conname)
    );
  end loop;
end
$$;

-- The name that PostgreSQL gives by default to a constraint or sequence of a table, which is named `own`
-- so far: the longer part is cut until it fits, and a number is added where the name is taken.
create function service.name_given(relation regclass, column_name text, label text, own text)
returns text
language plpgsql stable
as $$
declare
  relation_name text;
  schema_id oid;
  first text;
  second text;
  last text;
begin
  select relname, relnamespace into strict relation_name, schema_id
  from pg_class
  where oid = relation;
  for at in 0..9999 loop
    first := relation_name;
    second := coalesce('_' || column_name, '');
    last := '_' || label || coalesce(nullif(at, 0)::text, '');
    while octet_length(first || second || last) > 63 loop
      if octet_length(first) >= octet_length(second) then
        first := left(first, -1);
      else
        second := left(second, -1);
      end if;
    end loop;
    exit when first || second || last = own or not exists (
      select from pg_class where relnamespace = schema_id and relname = first || second || last
      union all
      select
      from pg_constraint
      where connamespace = schema_id and conname = first || second || last
    );
  end loop;
  return first || second || last;
end
$$;

-- Objects that depend on a column, other than its default and `not null`: they would be dropped with it, or
-- prevent that. `own` names constraints and indexes of the table that are left out. PostgreSQL knows what
-- a function depends on only if its body begins with `begin atomic`.
create function service.objects_on(table_name text, column_name text, own text[])
returns table (object text)
language sql stable
begin atomic
  with place as (
    select attrelid, attnum, attacl
    from pg_attribute
    where attrelid = format('public.%I', table_name)::regclass
      and attname = column_name
      and not attisdropped
  ),
  dependent as (
    select classid, objid, objsubid
    from place
    join pg_depend
      on refclassid = 'pg_class'::regclass and refobjid = attrelid and refobjsubid = attnum
    where not exists (
        select
        from pg_constraint
        where classid = 'pg_constraint'::regclass
          and oid = objid
          and conrelid = attrelid
          and (contype = 'n' or conname = any (own))
      )
      and not exists (
        select
        from pg_index
        join pg_class on pg_class.oid = indexrelid
        where classid = 'pg_class'::regclass
          and indexrelid = objid
          and indrelid = attrelid
          and relname = any (own)
      )
      and not exists (
        select
        from pg_attrdef
        where classid = 'pg_attrdef'::regclass
          and oid = objid
          and adrelid = attrelid
          and adnum = attnum
      )
  ),
  described as (
    -- A view depends by its rule, a generated column by what it is generated from.
    select
      case
        when ev_class is not null then pg_describe_object('pg_class'::regclass, ev_class, 0)
        when adrelid is not null then pg_describe_object('pg_class'::regclass, adrelid, adnum)
        else pg_describe_object(classid, objid, objsubid)
      end as object
    from dependent
    left join pg_rewrite
      on classid = 'pg_rewrite'::regclass and pg_rewrite.oid = objid and rulename = '_RETURN'
    left join pg_attrdef on classid = 'pg_attrdef'::regclass and pg_attrdef.oid = objid
    union
    select
      'privileges of ' || case grantee when 0 then 'public' else grantee::regrole::text end
    from place
    cross join aclexplode(attacl)
    union
    select 'comment on ' || pg_describe_object('pg_class'::regclass, attrelid, attnum)
    from place
    where col_description(attrelid, attnum) is not null
    union
    -- Of the index that tells rows apart in logical replication, its owner's or not.
    select 'replica identity of ' || pg_describe_object('pg_class'::regclass, attrelid, 0)
    from place
    join pg_index on indrelid = attrelid and indisreplident and attnum = any (indkey)
  )
  select described.object from described order by described.object collate "C";
end;
