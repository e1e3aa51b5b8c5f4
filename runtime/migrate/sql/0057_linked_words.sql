-- Words of the records in lists of links. In the definition of a table's words, the `link` of such a field also has `entries`,
-- the table with the entries of the list.

-- The SQL of the vector of a row `new`; it has a comment where the rows that it reads may be locked. The elements of a list,
-- and the fields of each record in a list of links, are texts with the weight and the group of their field.
create or replace function service.vector_sql(index service.word_indexes) returns text
language sql stable
return (
  select format(
    'service.word_vector(%s, %s, %L, %s, %s, %s)',
    language.value,
    case
      when jsonb_array_length(index.definition -> 'languages') > 1
      then format('service.stem_prefix(%s, %L)', language.value, index.definition -> 'languages')
      else '''='''
    end,
    index.is_folded,
    case
      when bool_or(is_list) then string_agg(case when is_list then text else format('array[%s]', text) end, ' || ' order by at)
      else format('array[%s]::text[]', string_agg(text, ', ' order by at))
    end,
    case
      when bool_or(is_list) then string_agg(format('array_fill(%L::text, array[%s])', weight, length), ' || ' order by at)
      else format('%L::text[]', array_agg(weight order by at))
    end,
    case
      when bool_or(is_list) then string_agg(format('array_fill(%s, array[%s])', number, length), ' || ' order by at)
      else format('%L::integer[]', array_agg(number order by at))
    end
  )
  from (
    select
      at,
      field ->> 'weight' as weight,
      (field ->> 'group')::integer as number,
      is_list,
      case when is_list then format('coalesce(%s, ''{}'')::text[]', value) else format('%s::text', value) end as text,
      case when is_list then format('coalesce(cardinality(%s), 0)', value) else '1' end as length
    from jsonb_array_elements(index.definition -> 'fields') with ordinality as each (field, at)
    cross join lateral (
      select coalesce(field -> 'list' = 'true', false) or field -> 'link' ->> 'entries' is not null as is_list, case
        when field -> 'link' ->> 'entries' is not null
        then format(
          'array(
            select %1$s
            from unnest(new.%2$I) with ordinality as entry (id, place)
            join %3$s as linked on linked.id = entry.id%4$s
            order by place%5$s /* lock */
          )',
          case when field -> 'list' = 'true' then 'element' else format('linked.%I', field ->> 'column') end,
          field -> 'link' ->> 'column', service.table_sql(field -> 'link' ->> 'table'),
          case
            when field -> 'list' = 'true'
            then format(' cross join lateral unnest(linked.%I) with ordinality as elements (element, at)', field ->> 'column')
          end,
          case when field -> 'list' = 'true' then ', at' end
        )
        when jsonb_typeof(field -> 'link') = 'object'
        then format(
          '(select linked.%I from %s as linked where linked.%I = new.%I /* lock */)',
          field ->> 'column', service.table_sql(field -> 'link' ->> 'table'),
          coalesce(field -> 'link' ->> 'id', 'id'), field -> 'link' ->> 'column'
        )
        else format('new.%I', field ->> 'column')
      end as value
      offset 0
    ) as sql_of_field
  ) as fields
  cross join (
    select coalesce(
      format('coalesce(new.%I, ''simple'')', nullif(index.definition ->> 'languageColumn', '')),
      quote_literal(index.definition ->> 'language')
    ) as value
    where index.definition ->> 'languageColumn' is not null
    union all
    select quote_literal(index.definition ->> 'language')
    where index.definition ->> 'languageColumn' is null
  ) as language
  group by language.value
);

-- SQL: the ids of the rows that link to the row with the id in the text $1 by that column.
create function service.linking_rows(_table_name text, _link_column text) returns text
language sql stable
return coalesce(
  (
    select format('select record_id as id from public.%I where target_id = $1::uuid', field -> 'link' ->> 'entries')
    from service.word_indexes
    cross join jsonb_array_elements(definition -> 'fields') as field
    where table_name = _table_name
      and field -> 'link' ->> 'column' = _link_column
      and field -> 'link' ->> 'entries' is not null
    limit 1
  ),
  (
    select format(
      'select %I as id from %s where %I = $1::%s',
      id_column, service.table_sql(_table_name), _link_column, (service.column_type(_table_name, _link_column)).type
    )
    from service.words_key(_table_name)
  )
);

-- A linked record has changed: arguments are the table with the link, its column, and the column of the record's id if that
-- is not `id`.
create function service.index_linking() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  changed text;
  ids text[];
begin
  if tg_nargs > 2 then
    changed := to_jsonb(new) ->> tg_argv[2];
  else
    changed := new.id;
  end if;
  insert into service.word_changes (table_name, link_column, target) values (tg_argv[0], tg_argv[1], changed);
  execute format(
    'select array_agg(id order by id) from (select id from (%s) as linking limit 1001) as found',
    service.linking_rows(tg_argv[0], tg_argv[1])
  )
  into ids
  using changed;
  if cardinality(ids) <= 1000 then
    perform service.index_words(tg_argv[0], ids);
  end if;
  return null;
end
$$;

revoke execute on function service.index_linking() from public;

-- Indexes the next rows that link to a changed record, one server at a time. Returns whether there may be more.
create function service.index_changed(_most integer) returns boolean
language plpgsql
as $$
declare
  change service.word_changes;
  ids text[];
begin
  if not pg_try_advisory_xact_lock(7364060) then
    return false;
  end if;
  select * into change from service.word_changes order by number limit 1;
  if not found then
    return false;
  end if;
  execute format(
    'select array_agg(id order by id) from (
       select id from (%s) as linking where $2 is null or id > $2::%s order by id limit $3
     ) as found',
    service.linking_rows(change.table_name, change.link_column),
    (select id_type from service.words_key(change.table_name))
  )
  into ids
  using change.target, change.indexed, _most;
  if ids is not null then
    perform service.index_words(change.table_name, ids);
  end if;
  if coalesce(cardinality(ids), 0) < _most then
    delete from service.word_changes where number = change.number;
  else
    update service.word_changes set indexed = ids[cardinality(ids)] where number = change.number;
  end if;
  return true;
end
$$;
