-- Lists: fields whose values are arrays.

-- Whether a list has one dimension, no empty elements, and a length within these limits. PostgreSQL puts this in the place of a call.
create function service.is_list(list anyarray, fewest integer, most integer) returns boolean
language sql immutable parallel safe
as $$
  select coalesce(array_ndims(list), 1) = 1
    and array_position(list, null) is null
    and cardinality(list) between fewest and most
$$;

-- Whether no element is repeated.
create function service.is_distinct(list anyarray) returns boolean
language plpgsql immutable strict parallel safe
as $$
begin
  return cardinality(list) < 2 or (select count(distinct element) = cardinality(list) from unnest(list) as element);
end
$$;

-- Whether the lengths of all texts are in that range.
create function service.has_lengths(list text[], shortest integer, longest integer) returns boolean
language plpgsql immutable strict parallel safe
as $$
declare
  element text;
begin
  foreach element in array list loop
    if char_length(element) not between shortest and longest then
      return false;
    end if;
  end loop;
  return true;
end
$$;

-- The searched text of a list: that of its elements, separated by a character that no search contains.
create function service.fold_text(list text[]) returns text
language sql immutable parallel safe
return service.fold_text(array_to_string(list, U&'\001F'));

-- The elements of a list in JSON as texts; a single value is one element.
create function service.elements_of(list jsonb) returns text[]
language plpgsql immutable strict parallel safe
as $$
begin
  if jsonb_typeof(list) = 'array' then
    return array(select jsonb_array_elements_text(list));
  end if;
  return case when jsonb_typeof(list) = 'null' then null else array[list #>> '{}'] end;
end
$$;

create or replace procedure service.rename_trash_value(table_name text, column_name text, former text, value text)
language plpgsql
as $$
begin
  update service.trash
  set image = image || jsonb_build_object(column_name, value)
  where trash.table_name = rename_trash_value.table_name and image ->> column_name = former;
  -- If two values are merged, a list that has both keeps one.
  update service.trash
  set image = image || jsonb_build_object(
    column_name,
    (
      select jsonb_agg(case when element = former then value else element end order by place)
      from jsonb_array_elements_text(image -> column_name) with ordinality as list (element, place)
      where element <> former or not (image -> column_name ? value)
    )
  )
  where trash.table_name = rename_trash_value.table_name
    and jsonb_typeof(image -> column_name) = 'array'
    and image -> column_name ? former;
end
$$;

-- The value of a deleted row converted for a column of the type: a single value becomes a list, and
-- a list becomes its first element. Null if it does not fit.
create function service.trash_value_as(value jsonb, type text) returns jsonb
language plpgsql stable strict
as $$
declare
  elements text[] := coalesce(service.elements_of(value), '{}');
  element_type text := replace(type, '[]', '');
  element text;
begin
  if type = element_type then
    elements := elements[1:1];
    value := case when jsonb_typeof(value) = 'array' then coalesce(value -> 0, 'null') else value end;
  elsif jsonb_typeof(value) <> 'array' then
    value := case when jsonb_typeof(value) = 'null' then '[]' else jsonb_build_array(value) end;
  end if;
  foreach element in array elements loop
    if not service.reads_as(element, element_type) then
      return null;
    end if;
  end loop;
  return value;
end
$$;

create or replace procedure service.change_trash_column(table_name text, column_name text, type text)
language plpgsql
as $$
begin
  update service.trash
  set image = image - column_name,
      unfit = coalesce(unfit, '{}') || jsonb_build_object(column_name, image -> column_name)
  where trash.table_name = change_trash_column.table_name
    and image ->> column_name is not null
    and service.trash_value_as(image -> column_name, type) is null;
  update service.trash
  set image = image || jsonb_build_object(column_name, service.trash_value_as(image -> column_name, type))
  where trash.table_name = change_trash_column.table_name
    and image -> column_name <> service.trash_value_as(image -> column_name, type);
end
$$;
