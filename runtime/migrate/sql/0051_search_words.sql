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
create function service.index_next_words(_table_name text, _after uuid, _most integer) returns uuid[]
language plpgsql
as $$
declare
  ids uuid[];
begin
  execute format(
    'select array_agg(id order by id) from (
       select id from public.%I where $1 is null or id > $1 order by id limit $2
     ) as rows',
    _table_name
  )
  into ids
  using _after, _most;
  if ids is not null then
    perform service.index_words(_table_name, ids);
  end if;
  return coalesce(ids, '{}');
end
$$;
