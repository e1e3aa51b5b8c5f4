-- Which of these words of texts fulfil the terms of a search, [{"text", "quoted", "prefix"}], for highlights: the number of the
-- term, the place of the word in it, and how many words the term has.
create function service.word_matches(_table_name text, _language text, _terms jsonb, _tokens text[])
returns table (token text, term integer, place integer, size integer)
language plpgsql stable
as $$
#variable_conflict use_column
declare
  own_letters text := (
    select case when is_folded then service.own_letters(_language) end
    from service.word_indexes
    where table_name = _table_name
  );
  stemmers record;
begin
  select * into stemmers from service.stemmers(_language);
  return query
  with searched as materialized (
    select
      number::integer as term,
      place::integer as place,
      cardinality(words) as size,
      word collate "C" as word,
      not (term ->> 'quoted')::boolean as has_stem,
      (term ->> 'prefix')::boolean and place = cardinality(words) and length(word) > 1 as is_prefix,
      (ts_lexize(
        case when word collate "C" ~ '^[a-z]+$' then stemmers.of_ascii else stemmers.of_others end, word
      ))[1] collate "C" as stem
    from jsonb_array_elements(_terms) with ordinality as terms (term, number)
    cross join lateral (select service.words_of(term ->> 'text', own_letters) as words offset 0) as split
    cross join lateral unnest(words) with ordinality as each (word, place)
  ),
  read as materialized (
    select
      token,
      word,
      (ts_lexize(
        case when word ~ '^[a-z]+$' then stemmers.of_ascii else stemmers.of_others end, word
      ))[1] collate "C" as stem
    from unnest(_tokens) as token
    cross join lateral (
      select case
        when token collate "C" ~ '^[A-Za-z0-9]{1,200}$' then lower(token collate "C")
        else (service.words_of(token, own_letters))[1] collate "C"
      end as word
      offset 0
    ) as split
    where word is not null
  )
  select read.token, searched.term, searched.place, searched.size
  from searched
  join read
    on read.word = searched.word
    or (has_stem and (read.word = searched.stem or read.stem = searched.stem))
    or (is_prefix and starts_with(read.word, searched.word));
end
$$;

-- The language of a row's words.
create function service.words_language(_table_name text, _row jsonb) returns text
language sql stable
return (
  select coalesce(_row ->> (definition ->> 'languageColumn'), definition ->> 'language', 'simple')
  from service.word_indexes
  where table_name = _table_name
);

-- Ignores accents in a table's words from now on, if its definition requires it; the rows keep their words until they are
-- indexed again. Returns false if `unaccent` is not available.
create function service.refold_words(_table_name text) returns boolean
language plpgsql
as $$
declare
  index service.word_indexes;
  is_possible boolean;
begin
  select * into strict index from service.word_indexes where table_name = _table_name;
  if index.definition ->> 'accents' <> 'ignore' then
    return true;
  end if;
  is_possible := service.use_unaccent();
  if is_possible <> index.is_folded then
    call service.change_words(_table_name, index.definition);
  end if;
  return is_possible;
end
$$;

-- Indexes the words of the next rows after an id, in the order of their ids; returns these.
create function service.index_next_words(_table_name text, _after text, _most integer) returns text[]
language plpgsql
as $$
declare
  ids text[];
begin
  execute (
    select format(
      'select array_agg(%1$I order by %1$I) from (
         select %1$I from %2$s where $1 is null or %1$I > $1::%3$s order by %1$I limit $2
       ) as rows',
      id_column, service.table_sql(_table_name), id_type
    )
    from service.words_key(_table_name)
  )
  into ids
  using _after, _most;
  if ids is not null then
    perform service.index_words(_table_name, ids);
  end if;
  return coalesce(ids, '{}');
end
$$;

-- The words of a text: runs of letters, or of digits, with their marks. With `own_letters`, other letters lose their accents.
create or replace function service.words_of(value text, own_letters text) returns text[]
language plpgsql immutable parallel safe
as $$
declare
  folded text collate "und-x-icu";
  marks text;
begin
  if value is null then
    return '{}';
  elsif octet_length(value) = length(value) then
    folded := regexp_replace(lower(value collate "C"), '[^a-z0-9 ]', ' ', 'g');
    if folded collate "C" ~ '[a-z][0-9]|[0-9][a-z]' then
      folded := regexp_replace(folded collate "C", '([0-9]+)', ' \1 ', 'g');
    end if;
  else
    marks := service.marks();
    folded := service.fold_case(translate(normalize(value, nfkc), u&'\00AD\200C\200D', ''));
    if own_letters is not null then
      folded := lower(service.strip_accents(folded, own_letters));
    end if;
    folded := regexp_replace(folded, '[^[:alpha:][:digit:]' || marks || ']+', ' ', 'g');
    folded := regexp_replace(folded, '(^| )[' || marks || ']+', '\1', 'g');
    if folded ~ '[[:digit:]]' then
      folded := regexp_replace(
        folded,
        '([[:alpha:]][' || marks || ']*(?=[[:digit:]])|[[:digit:]][' || marks || ']*(?=[[:alpha:]]))',
        '\1 ', 'g'
      );
    end if;
  end if;
  -- A vector takes no longer words.
  if length(folded) > 200 and folded collate "C" ~ '[^ ]{201}' then
    folded := regexp_replace(folded collate "C", '([^ ]{200})[^ ]+', '\1', 'g');
  end if;
  return array_remove(string_to_array(folded, ' '), '');
end
$$;

-- The vector of a record from the texts of its fields, and from each element of lists. They follow
-- each other at a distance, so that no phrase reaches from one into the next. Words of the groups
-- after the first are preceded by the group's number and have separate positions, so that fields
-- that a caller may not read have no influence.
create or replace function service.word_vector(
  language text, stem_prefix text, is_folded boolean, texts text[], weights text[], groups integer[]
) returns tsvector
language plpgsql stable
as $$
declare
  own_letters constant text := case when is_folded then service.own_letters(language) end;
  room constant integer := 16383 / (groups[cardinality(groups)] + 1);
  -- Bytes; PostgreSQL's limit is 1 MiB. A quarter as many characters never have more bytes.
  most_bytes constant integer := 1000000;
  of_ascii regdictionary;
  of_others regdictionary;
  is_mixed boolean;
  words text[] collate "C";
  part text;
  vector text := '';
  present integer := -1;
  prefix text;
  stem_start text;
  weight text;
  place integer;
  last_place integer;
begin
  select own.of_ascii, own.of_others into of_ascii, of_others from service.stemmers(language) as own;
  is_mixed := of_ascii <> of_others;
  for at in 1 .. cardinality(texts) loop
    if groups[at] <> present then
      present := groups[at];
      place := present * room;
      last_place := place + room - 1;
      prefix := case when present = 0 then '' else present || '#' end;
      stem_start := ' ' || prefix || stem_prefix;
    end if;
    words := service.words_of(texts[at], own_letters);
    if cardinality(words) = 0 then
      continue;
    end if;
    weight := weights[at];
    -- The order of the words does not matter, and a stem that equals its word is not repeated.
    select string_agg(
      prefix || word || position || coalesce(stem_start || nullif(
        (ts_lexize(case when is_mixed and word ~ '^[a-z]+$' then of_ascii else of_others end, word))[1],
        word
      ) || position, ''),
      ' '
    )
    into part
    from (
      select word, ':' || least(place + number, last_place) || weight as position
      from unnest(words) with ordinality as each (word, number)
      -- Computes each position once.
      offset 0
    ) as placed;
    vector := vector || ' ' || part;
    place := place + cardinality(words) + 8;
  end loop;
  if octet_length(vector) > most_bytes then
    vector := left(vector, most_bytes / 4);
    vector := left(vector, length(vector) - strpos(reverse(vector), ' '));
  end if;
  return vector::tsvector;
end
$$;

-- The SQL of the vector of a row `new`; it has a comment where the rows that it reads may be locked. The elements of a list
-- are texts with the weight and the group of their field.
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
      coalesce((field ->> 'list')::boolean, false) as is_list,
      case
        when field -> 'list' = 'true' then format('coalesce(%s, ''{}'')::text[]', value)
        else format('%s::text', value)
      end as text,
      case when field -> 'list' = 'true' then format('coalesce(cardinality(%s), 0)', value) else '1' end as length
    from jsonb_array_elements(index.definition -> 'fields') with ordinality as each (field, at)
    cross join lateral (
      select case
        when jsonb_typeof(field -> 'link') = 'object'
        then format(
          '(select linked.%I from public.%I as linked where linked.id = new.%I /* lock */)',
          field ->> 'column', field -> 'link' ->> 'table', field -> 'link' ->> 'column'
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
