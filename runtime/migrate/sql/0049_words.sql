-- Full-text search: the words of each record, beside the record's table. The app's migrations call the procedures, its
-- statements the functions; `service doctor` reads the register.

create table service.word_indexes (
  -- The table as `service.table_sql` reads it; its words are in a table of the schema service, which also names its functions.
  table_name text collate "C" not null,
  words_name text collate "C" not null,
  -- {"language": "norwegian", "languageColumn": null, "languages": ["norwegian"], "accents": "ignore", "fields": [{"column":
  -- "name", "weight": "A", "group": 0, "link": null}]}. The fields of a group have the same readers; `link` has the
  -- `column`, `table` and `trigger` of a field of linked records. Both the definition and a `link` have the column of the
  -- ids, `id`, if it has another name.
  definition jsonb not null,
  -- Whether accents are ignored; also false if `unaccent` was missing when the words were indexed.
  is_folded boolean not null,
  constraint word_indexes_pkey primary key (table_name)
);

-- Linked records that have changed. Up to 1,000 records that link to one are indexed in the same transaction. Further ones,
-- and changes that two transactions made at the same time, are left to `service.index_changed`.
create table service.word_changes (
  number bigint generated always as identity,
  table_name text collate "C" not null,
  -- The link that leads to the changed record, and the last record that is indexed.
  link_column text collate "C" not null,
  target text not null,
  indexed text,
  constraint word_changes_pkey primary key (number)
);

-- The combining marks of Unicode, as part of a regular expression: PostgreSQL has no class for them.
create function service.marks() returns text
language sql immutable parallel safe
return
    '\u0300-\u036F\u0483-\u0489\u0591-\u05BD\u05BF\u05C1-\u05C2\u05C4-\u05C5\u05C7\u0610-\u061A\u064B-\u065F\u0670' ||
    '\u06D6-\u06DC\u06DF-\u06E4\u06E7-\u06E8\u06EA-\u06ED\u0711\u0730-\u074A\u07A6-\u07B0\u07EB-\u07F3\u07FD' ||
    '\u0816-\u0819\u081B-\u0823\u0825-\u0827\u0829-\u082D\u0859-\u085B\u0897-\u089F\u08CA-\u08E1\u08E3-\u0903' ||
    '\u093A-\u093C\u093E-\u094F\u0951-\u0957\u0962-\u0963\u0981-\u0983\u09BC\u09BE-\u09CD\u09D7\u09E2-\u09E3' ||
    '\u09FE-\u0A03\u0A3C-\u0A51\u0A70-\u0A71\u0A75\u0A81-\u0A83\u0ABC\u0ABE-\u0ACD\u0AE2-\u0AE3\u0AFA-\u0B03\u0B3C' ||
    '\u0B3E-\u0B57\u0B62-\u0B63\u0B82\u0BBE-\u0BCD\u0BD7\u0C00-\u0C04\u0C3C\u0C3E-\u0C56\u0C62-\u0C63\u0C81-\u0C83' ||
    '\u0CBC\u0CBE-\u0CD6\u0CE2-\u0CE3\u0CF3-\u0D03\u0D3B-\u0D3C\u0D3E-\u0D4D\u0D57\u0D62-\u0D63\u0D81-\u0D83' ||
    '\u0DCA-\u0DDF\u0DF2-\u0DF3\u0E31\u0E34-\u0E3A\u0E47-\u0E4E\u0EB1\u0EB4-\u0EBC\u0EC8-\u0ECE\u0F18-\u0F19\u0F35' ||
    '\u0F37\u0F39\u0F3E-\u0F3F\u0F71-\u0F84\u0F86-\u0F87\u0F8D-\u0FBC\u0FC6\u102B-\u103E\u1056-\u1059\u105E-\u1060' ||
    '\u1062-\u1064\u1067-\u106D\u1071-\u1074\u1082-\u108D\u108F\u109A-\u109D\u135D-\u135F\u1712-\u1715\u1732-\u1734' ||
    '\u1752-\u1753\u1772-\u1773\u17B4-\u17D3\u17DD\u180B-\u180D\u180F\u1885-\u1886\u18A9\u1920-\u193B\u1A17-\u1A1B' ||
    '\u1A55-\u1A7F\u1AB0-\u1B04\u1B34-\u1B44\u1B6B-\u1B73\u1B80-\u1B82\u1BA1-\u1BAD\u1BE6-\u1BF3\u1C24-\u1C37' ||
    '\u1CD0-\u1CD2\u1CD4-\u1CE8\u1CED\u1CF4\u1CF7-\u1CF9\u1DC0-\u1DFF\u20D0-\u20F0\u2CEF-\u2CF1\u2D7F\u2DE0-\u2DFF' ||
    '\u302A-\u302F\u3099-\u309A\uA66F-\uA672\uA674-\uA67D\uA69E-\uA69F\uA6F0-\uA6F1\uA802\uA806\uA80B\uA823-\uA827' ||
    '\uA82C\uA880-\uA881\uA8B4-\uA8C5\uA8E0-\uA8F1\uA8FF\uA926-\uA92D\uA947-\uA953\uA980-\uA983\uA9B3-\uA9C0\uA9E5' ||
    '\uAA29-\uAA36\uAA43\uAA4C-\uAA4D\uAA7B-\uAA7D\uAAB0\uAAB2-\uAAB4\uAAB7-\uAAB8\uAABE-\uAABF\uAAC1\uAAEB-\uAAEF' ||
    '\uAAF5-\uAAF6\uABE3-\uABEA\uABEC-\uABED\uFB1E\uFE00-\uFE0F\uFE20-\uFE2F\U000101FD\U000102E0' ||
    '\U00010376-\U0001037A\U00010A01-\U00010A0F\U00010A38-\U00010A3F\U00010AE5-\U00010AE6\U00010D24-\U00010D27' ||
    '\U00010D69-\U00010D6D\U00010EAB-\U00010EAC\U00010EFA-\U00010EFF\U00010F46-\U00010F50\U00010F82-\U00010F85' ||
    '\U00011000-\U00011002\U00011038-\U00011046\U00011070\U00011073-\U00011074\U0001107F-\U00011082' ||
    '\U000110B0-\U000110BA\U000110C2\U00011100-\U00011102\U00011127-\U00011134\U00011145-\U00011146\U00011173' ||
    '\U00011180-\U00011182\U000111B3-\U000111C0\U000111C9-\U000111CC\U000111CE-\U000111CF\U0001122C-\U00011237' ||
    '\U0001123E\U00011241\U000112DF-\U000112EA\U00011300-\U00011303\U0001133B-\U0001133C\U0001133E-\U0001134D' ||
    '\U00011357\U00011362-\U00011374\U000113B8-\U000113D0\U000113D2\U000113E1-\U000113E2\U00011435-\U00011446' ||
    '\U0001145E\U000114B0-\U000114C3\U000115AF-\U000115C0\U000115DC-\U000115DD\U00011630-\U00011640' ||
    '\U000116AB-\U000116B7\U0001171D-\U0001172B\U0001182C-\U0001183A\U00011930-\U0001193E\U00011940' ||
    '\U00011942-\U00011943\U000119D1-\U000119E0\U000119E4\U00011A01-\U00011A0A\U00011A33-\U00011A39' ||
    '\U00011A3B-\U00011A3E\U00011A47\U00011A51-\U00011A5B\U00011A8A-\U00011A99\U00011B60-\U00011B67' ||
    '\U00011C2F-\U00011C3F\U00011C92-\U00011CB6\U00011D31-\U00011D45\U00011D47\U00011D8A-\U00011D97' ||
    '\U00011EF3-\U00011EF6\U00011F00-\U00011F01\U00011F03\U00011F34-\U00011F42\U00011F5A\U00013440' ||
    '\U00013447-\U00013455\U0001611E-\U0001612F\U00016AF0-\U00016AF4\U00016B30-\U00016B36\U00016F4F' ||
    '\U00016F51-\U00016F92\U00016FE4-\U00016FF1\U0001BC9D-\U0001BC9E\U0001CF00-\U0001CF46\U0001D165-\U0001D169' ||
    '\U0001D16D-\U0001D172\U0001D17B-\U0001D182\U0001D185-\U0001D18B\U0001D1AA-\U0001D1AD\U0001D242-\U0001D244' ||
    '\U0001DA00-\U0001DA36\U0001DA3B-\U0001DA6C\U0001DA75\U0001DA84\U0001DA9B-\U0001DAAF\U0001E000-\U0001E02A' ||
    '\U0001E08F\U0001E130-\U0001E136\U0001E2AE\U0001E2EC-\U0001E2EF\U0001E4EC-\U0001E4EF\U0001E5EE-\U0001E5EF' ||
    '\U0001E6E3\U0001E6E6\U0001E6EE-\U0001E6EF\U0001E6F5\U0001E8D0-\U0001E8D6\U0001E944-\U0001E94A' ||
    '\U000E0100-\U000E01EF';

-- The words of a text: runs of letters, or of digits, with their marks. With `own_letters`, other letters lose their accents.
create function service.words_of(value text, own_letters text) returns text[]
language plpgsql immutable parallel safe
as $$
declare
  folded text collate "und-x-icu";
  marks text;
begin
  if value is null then
    return '{}';
  elsif to_ascii(value, 8) = value collate "C" then
    folded := regexp_replace(lower(value collate "C"), '[^a-z0-9]+', ' ', 'g');
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

-- Text without accents, except for these letters. `service.use_unaccent` replaces it if the extension is available.
create function service.strip_accents(value text, own_letters text) returns text
language plpgsql stable parallel safe
as $$ begin return value; end $$;

-- Creates the extension `unaccent`, if necessary and possible, and uses it if it is available.
-- Returns whether it is.
create function service.use_unaccent() returns boolean
language plpgsql
as $$
declare
  place text;
  body text;
begin
  select nspname into place
  from pg_extension
  join pg_namespace on pg_namespace.oid = extnamespace
  where extname = 'unaccent';
  if not found then
    begin
      create extension unaccent schema service;
      place := 'service';
    exception when insufficient_privilege or feature_not_supported or undefined_file then
      raise warning 'Searches distinguish accents: %', sqlerrm
        using hint = 'have the extension unaccent created in the schema service and run: service search rebuild';
      return false;
    end;
  end if;
  body := format(
    $body$
begin
  if own_letters = '' then
    return %1$I.unaccent('%1$I.unaccent', value);
  end if;
  return translate(
    %1$I.unaccent('%1$I.unaccent', translate(value, own_letters, u&'\E000\E001\E002')),
    u&'\E000\E001\E002', own_letters
  );
end
$body$,
    place
  );
  if not exists (
    select from pg_proc where oid = 'service.strip_accents(text, text)'::regprocedure and prosrc = body
  ) then
    execute format(
      'create or replace function service.strip_accents(value text, own_letters text) returns text
       language plpgsql stable parallel safe as %L',
      body
    );
  end if;
  return true;
end
$$;

-- The letters of a language that `accents: ignore` keeps, at most three.
create function service.own_letters(language text) returns text
language sql immutable parallel safe
return case language collate "C"
  when 'norwegian' then 'åæø'
  when 'danish' then 'åæø'
  when 'swedish' then 'åäö'
  when 'finnish' then 'åäö'
  when 'spanish' then 'ñ'
  else ''
end;

-- The dictionary that stems words of a language, for words in ASCII and for others; null for none, as for a language that
-- the server lacks.
create function service.stemmers(language text, out of_ascii regdictionary, out of_others regdictionary)
language plpgsql stable
as $$
begin
  select oid into of_others
  from pg_catalog.pg_ts_dict
  where dictname = (language || '_stem') collate "C" and dictnamespace = 'pg_catalog'::regnamespace;
  of_ascii := of_others;
  -- The configurations of these two treat ASCII words as English.
  if language collate "C" in ('hindi', 'russian') and of_others is not null then
    select oid into of_ascii
    from pg_catalog.pg_ts_dict
    where dictname = 'english_stem' and dictnamespace = 'pg_catalog'::regnamespace;
  end if;
end
$$;

-- The prefix that distinguishes stems from words and, in a table of several languages, the stems of
-- each language.
create function service.stem_prefix(language text, languages jsonb) returns text
language sql immutable parallel safe
return case when jsonb_array_length(languages) > 1 then '=' || language || '/' else '=' end;

-- The vector of a record from the texts of its fields. Fields follow each other at a distance, so
-- that no phrase reaches from one into the next. Words of the groups after the first are preceded
-- by the group's number and have separate positions, so that fields that a caller may not read have
-- no influence.
create function service.word_vector(
  language text, stem_prefix text, is_folded boolean, texts text[], weights text[], groups integer[]
) returns tsvector
language plpgsql stable
as $$
declare
  own_letters constant text := case when is_folded then service.own_letters(language) end;
  room constant integer := 16383 / (groups[cardinality(groups)] + 1);
  -- Bytes; PostgreSQL's limit is 1 MiB. A quarter as many characters never have more bytes.
  most_bytes constant integer := 1000000;
  stemmers record;
  is_mixed boolean;
  words text[] collate "C";
  part text;
  vector text := '';
  present integer := -1;
  prefix text;
  place integer;
  last_place integer;
begin
  select * into stemmers from service.stemmers(language);
  is_mixed := stemmers.of_ascii <> stemmers.of_others;
  for at in 1 .. cardinality(texts) loop
    if groups[at] <> present then
      present := groups[at];
      place := present * room;
      last_place := place + room - 1;
      prefix := case when present = 0 then '' else present || '#' end;
    end if;
    words := service.words_of(texts[at], own_letters);
    if cardinality(words) = 0 then
      continue;
    end if;
    -- The order of the words does not matter, and a stem that equals its word is not repeated.
    select string_agg(
      prefix || word || position || coalesce(' ' || prefix || stem_prefix || nullif(
        (ts_lexize(
          case when is_mixed and word ~ '^[a-z]+$' then stemmers.of_ascii else stemmers.of_others end, word
        ))[1],
        word
      ) || position, ''),
      ' '
    )
    into part
    from (
      select word, ':' || least(place + number, last_place) || weights[at] as position
      from unnest(words) with ordinality as each (word, number)
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

-- The type of a column, and its definition with the collation.
create function service.column_type(table_name text, column_name text, out type text, out definition text)
language sql stable set search_path = pg_catalog, pg_temp
return (
  select row(
    format_type(atttypid, atttypmod),
    format_type(atttypid, atttypmod)
      || case when attcollation = 0 then '' else format(' collate %I.%I', nspname, collname) end
  )
  from pg_attribute
  left join pg_collation on pg_collation.oid = attcollation
  left join pg_namespace on pg_namespace.oid = collnamespace
  where attrelid = service.table_sql(table_name)::regclass and attname = column_name
);

-- Starts to index the words of a table, whose rows are not indexed yet.
create procedure service.start_words(table_name text, words_name text, definition jsonb)
language plpgsql
as $$
begin
  execute format(
    'create table service.%I (id %s primary key, vector tsvector not null)',
    words_name, (service.column_type(table_name, coalesce(definition ->> 'id', 'id'))).definition
  );
  insert into service.word_indexes
  values (table_name, words_name, definition, definition ->> 'accents' = 'ignore' and service.use_unaccent());
  call service.write_words(table_name);
end
$$;

-- Changes what is indexed. The rows keep their words until they are indexed again.
create procedure service.change_words(_table_name text, _definition jsonb)
language plpgsql
as $$
begin
  call service.drop_words_triggers(_table_name);
  update service.word_indexes
  set definition = _definition,
    is_folded = _definition ->> 'accents' = 'ignore' and service.use_unaccent()
  where table_name = _table_name;
  call service.write_words(_table_name);
end
$$;

-- After `alter table … rename …`: the table, its columns or those of linked records have other names.
create procedure service.rename_words(former_table text, _table_name text, _words_name text, _definition jsonb)
language plpgsql
as $$
declare
  former service.word_indexes;
begin
  call service.drop_words_triggers(former_table);
  select * into strict former from service.word_indexes where table_name = former_table for update;
  if former.words_name <> _words_name then
    execute format('drop function if exists service.%1$I(), service.%1$I(text[])', former.words_name);
    execute format('alter table service.%I rename to %I', former.words_name, _words_name);
    execute format(
      'alter index if exists service.%I rename to %I', former.words_name || '_pkey', _words_name || '_pkey'
    );
  end if;
  update service.word_indexes
  set table_name = _table_name, words_name = _words_name, definition = _definition
  where table_name = former_table;
  update service.word_changes set table_name = _table_name where table_name = former_table;
  call service.write_words(_table_name);
end
$$;

-- Before or after `drop table`; does nothing if no words are indexed.
create procedure service.stop_words(_table_name text)
language plpgsql
as $$
declare
  former service.word_indexes;
begin
  call service.drop_words_triggers(_table_name);
  delete from service.word_indexes where table_name = _table_name returning * into former;
  if found then
    delete from service.word_changes where table_name = _table_name;
    execute format('drop function if exists service.%1$I(), service.%1$I(text[])', former.words_name);
    execute format('drop table if exists service.%I', former.words_name);
  end if;
end
$$;

-- The first argument of a trigger, from `pg_trigger.tgargs`.
create function service.first_argument(arguments bytea) returns text
language sql immutable
return convert_from(substring(arguments from 1 for position('\x00'::bytea in arguments) - 1), 'UTF8');

-- Drops the triggers of the table, and of the tables that it links to.
create procedure service.drop_words_triggers(_table_name text)
language plpgsql
as $$
declare
  trigger record;
begin
  for trigger in
    select tgrelid::regclass as owner, tgname as name
    from pg_trigger
    where tgfoid = (
        select to_regprocedure(format('service.%I()', words_name))
        from service.word_indexes
        where table_name = _table_name
      )
      or (
        tgfoid = 'service.index_linking()'::regprocedure
        and service.first_argument(tgargs) = _table_name
      )
  loop
    execute format('drop trigger %I on %s', trigger.name, trigger.owner);
  end loop;
end
$$;

-- Makes the package's triggers of an adopted table fire in sessions of replication, too. Those of its tally always do,
-- and no other table has such triggers.
create procedure service.fire_as_tally(table_name text)
language plpgsql
as $$
begin
  perform from pg_trigger
  where tgrelid = service.table_sql(table_name)::regclass and tgname = 'tally_insert' and tgenabled = 'A';
  if found then
    call service.fire_always(table_name);
  end if;
end
$$;

create procedure service.fire_always(table_name text)
language plpgsql
as $$
declare
  own regclass := service.table_sql(table_name)::regclass;
  trigger_name text;
begin
  for trigger_name in
    select tgname
    from pg_trigger
    join pg_proc on pg_proc.oid = tgfoid
    where tgrelid = own and tgenabled <> 'A' and pronamespace = 'service'::regnamespace
  loop
    execute format('alter table %s enable always trigger %I', own, trigger_name);
  end loop;
end
$$;

-- Writes the functions that index rows of a table, and the triggers.
create procedure service.write_words(_table_name text)
language plpgsql
as $$
declare
  index service.word_indexes;
  id_column text;
  id_type text;
  vector text;
  compared text;
  link record;
begin
  select * into strict index from service.word_indexes where table_name = _table_name;
  id_column := coalesce(index.definition ->> 'id', 'id');
  id_type := (service.column_type(_table_name, id_column)).type;
  vector := service.vector_sql(index);
  execute format(
    'create or replace function service.%I() returns trigger
     language plpgsql security definer set search_path = pg_catalog, pg_temp
     as %L',
    index.words_name,
    format(
      $body$
      begin
        if tg_op in ('INSERT', 'UPDATE') then
          insert into service.%1$I (id, vector)
          values (new.%3$I, %2$s)
          on conflict (id) do update set vector = excluded.vector;
        end if;
        if tg_op = 'TRUNCATE' then
          truncate service.%1$I;
        elsif tg_op = 'DELETE' or tg_op = 'UPDATE' and new.%3$I <> old.%3$I then
          delete from service.%1$I where id = old.%3$I;
        end if;
        return null;
      end
      $body$,
      -- A changed link waits for a change of the record that it leads to.
      index.words_name, replace(vector, '/* lock */', 'for share'), id_column
    )
  );
  -- Existing index entries are locked before their records are read: a concurrent change comes entirely before or after.
  execute format(
    'create or replace function service.%I(_ids text[]) returns void
     language plpgsql security definer set search_path = pg_catalog, pg_temp
     as %L',
    index.words_name,
    format(
      $body$
      #variable_conflict use_variable
      declare
        ids constant %5$s[] := _ids::%5$s[];
        added %5$s[];
      begin
        with added as (
          insert into service.%1$I (id, vector)
          select new.%4$I, %2$s
          from (
            select *
            from %3$s as own
            where %4$I = any (ids) and not exists (select from service.%1$I as words where words.id = own.%4$I)
            for key share
          ) as new
          on conflict do nothing
          returning id
        )
        select array_agg(id) into added from added;
        if cardinality(added) = cardinality(ids) then
          return;
        end if;
        perform from service.%1$I where id = any (ids) and id <> all (coalesce(added, '{}')) order by id for update;
        update service.%1$I as words
        set vector = made.vector
        from (
          select new.%4$I as id, %2$s as vector
          from %3$s as new
          where %4$I = any (ids) and %4$I <> all (coalesce(added, '{}'))
        ) as made
        where words.id = made.id and words.vector is distinct from made.vector;
      end
      $body$,
      index.words_name, vector, service.table_sql(_table_name), id_column, id_type
    )
  );
  execute format(
    'revoke execute on function service.%1$I(), service.%1$I(text[]) from public', index.words_name
  );
  select string_agg(format('old.%1$I is distinct from new.%1$I', name), ' or ' order by name collate "C") into compared
  from (
    select coalesce(field -> 'link' ->> 'column', field ->> 'column') as name
    from jsonb_array_elements(index.definition -> 'fields') as field
    union
    select id_column
    union
    select index.definition ->> 'languageColumn' where index.definition ->> 'languageColumn' is not null
  ) as compared;
  execute format(
    $triggers$
      create trigger words_insert after insert on %1$s
        for each row execute function service.%2$I();
      create trigger words_update after update on %1$s
        for each row when (%3$s) execute function service.%2$I();
      create trigger words_delete after delete on %1$s
        for each row execute function service.%2$I();
      create trigger words_truncate after truncate on %1$s
        for each statement execute function service.%2$I();
    $triggers$,
    service.table_sql(_table_name), index.words_name, compared
  );
  call service.fire_as_tally(_table_name);
  for link in
    select
      field -> 'link' ->> 'trigger' as name,
      field -> 'link' ->> 'table' as target,
      field -> 'link' ->> 'column' as link_column,
      field -> 'link' ->> 'id' as target_id,
      string_agg(
        distinct format('old.%1$I is distinct from new.%1$I', field ->> 'column') collate "C", ' or '
      ) as compared
    from jsonb_array_elements(index.definition -> 'fields') as field
    where jsonb_typeof(field -> 'link') = 'object'
    group by 1, 2, 3, 4
  loop
    execute format(
      $trigger$
        create trigger %I after update on %s
          for each row when (%s) execute function service.index_linking(%L, %L%s)
      $trigger$,
      link.name, service.table_sql(link.target), link.compared, _table_name, link.link_column,
      ', ' || quote_literal(link.target_id)
    );
    call service.fire_as_tally(link.target);
  end loop;
end
$$;

-- The SQL of the vector of a row `new`; it has a comment where the rows that it reads may be locked.
create function service.vector_sql(index service.word_indexes) returns text
language sql stable
return (
  select format(
    'service.word_vector(%s, %s, %L, array[%s]::text[], %L::text[], %L::integer[])',
    language.value,
    case
      when jsonb_array_length(index.definition -> 'languages') > 1
      then format('service.stem_prefix(%s, %L)', language.value, index.definition -> 'languages')
      else '''='''
    end,
    index.is_folded,
    string_agg(
      case
        when jsonb_typeof(field -> 'link') = 'object'
        then format(
          '(select linked.%I from public.%I as linked where linked.id = new.%I /* lock */)',
          field ->> 'column', field -> 'link' ->> 'table', field -> 'link' ->> 'column'
        )
        else format('new.%I', field ->> 'column')
      end,
      ', ' order by at
    ),
    array_agg(field ->> 'weight' order by at),
    array_agg((field ->> 'group')::integer order by at)
  )
  from jsonb_array_elements(index.definition -> 'fields') with ordinality as each (field, at)
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

-- Indexes the words of rows.
create function service.index_words(_table_name text, _ids text[]) returns void
language plpgsql
as $$
declare
  name text;
begin
  select words_name into strict name from service.word_indexes where table_name = _table_name;
  execute format('select service.%I($1)', name) using _ids;
end
$$;

-- The column of a table's ids, and its type.
create function service.words_key(_table_name text, out id_column text, out id_type text)
language sql stable
begin atomic
  select coalesce(word_indexes.definition ->> 'id', 'id'), id.type
  from service.word_indexes
  cross join lateral service.column_type(table_name, coalesce(word_indexes.definition ->> 'id', 'id')) as id
  where table_name = _table_name;
end;

-- Indexes the words of all rows with an id in the range.
create procedure service.fill_words(_table_name text, _first text, _last text)
language plpgsql
as $$
declare
  ids text[];
begin
  execute (
    select format(
      'select array_agg(%1$I order by %1$I) from %2$s where %1$I >= $1::%3$s and %1$I <= $2::%3$s',
      id_column, service.table_sql(_table_name), id_type
    )
    from service.words_key(_table_name)
  )
  into ids
  using _first, _last;
  if ids is not null then
    perform service.index_words(_table_name, ids);
  end if;
end
$$;

-- Indexes the words of all rows.
create procedure service.refill_words(_table_name text)
language plpgsql
as $$
declare
  name text;
  next text;
  ids text[];
  indexed text;
begin
  select words_name into strict name from service.word_indexes where table_name = _table_name;
  execute format('truncate service.%I', name);
  select format(
    'select array_agg(%1$I order by %1$I) from (
       select %1$I from %2$s where $1 is null or %1$I > $1::%3$s order by %1$I limit 1000
     ) as rows',
    id_column, service.table_sql(_table_name), id_type
  )
  into next
  from service.words_key(_table_name);
  loop
    execute next into ids using indexed;
    exit when ids is null;
    perform service.index_words(_table_name, ids);
    indexed := ids[cardinality(ids)];
  end loop;
end
$$;

-- One term of a query in one language and the groups that the caller may read: words as they stand, words or stems, and
-- these with the last word as a prefix. Null without a word.
create function service.term_queries(
  term jsonb, language text, stem_prefix text, is_folded boolean, groups integer[],
  out exact text, out stemmed text, out prefixed text
)
language plpgsql stable
as $$
declare
  words constant text[] := service.words_of(
    term ->> 'text', case when is_folded then service.own_letters(language) end
  );
  is_quoted constant boolean := (term ->> 'quoted')::boolean;
  has_prefix constant boolean := (term ->> 'prefix')::boolean;
  stemmers record;
begin
  if cardinality(words) = 0 then
    return;
  end if;
  select * into stemmers from service.stemmers(language);
  select
    string_agg(own.exact, ' | ' order by number),
    string_agg(own.stemmed, ' | ' order by number),
    string_agg(own.prefixed, ' | ' order by number)
  into exact, stemmed, prefixed
  from unnest(groups) with ordinality as each_group (present, number)
  cross join lateral (select case when present = 0 then '' else present || '#' end as prefix offset 0) as own_prefix
  cross join lateral (
    select
      '(' || string_agg(format('''%s%s''', prefix, word), ' <-> ' order by at) || ')' as exact,
      '(' || string_agg(forms, ' <-> ' order by at) || ')' as stemmed,
      '(' || string_agg(
        case
          when has_prefix and at = cardinality(words) and length(word) > 1
          then format('(%s | ''%s%s'':*)', forms, prefix, word)
          else forms
        end,
        ' <-> ' order by at
      ) || ')' as prefixed
    from (
      select
        word, at,
        case
          when is_quoted or stem is null then format('''%s%s''', prefix, word)
          when stem = word collate "C" then format('(''%1$s%2$s'' | ''%1$s%3$s%2$s'')', prefix, word, stem_prefix)
          else format('(''%1$s%2$s'' | ''%1$s%4$s'' | ''%1$s%3$s%4$s'')', prefix, word, stem_prefix, stem)
        end as forms
      from (
        select
          word, at,
          (ts_lexize(
            case when word collate "C" ~ '^[a-z]+$' then stemmers.of_ascii else stemmers.of_others end, word
          ))[1] as stem
        from unnest(words) with ordinality as each (word, at)
      ) as stems
    ) as forms
  ) as own;
  exact := '(' || exact || ')';
  stemmed := '(' || stemmed || ')';
  prefixed := '(' || prefixed || ')';
end
$$;

-- The queries of a search: alternatives of terms, [[{"text", "quoted", "not", "prefix"}]]. All are null without a word.
create function service.word_queries(
  _table_name text, _groups integer[], _query jsonb,
  out exact tsquery, out stemmed tsquery, out prefixed tsquery
)
language plpgsql stable
as $$
#variable_conflict use_column
declare
  index service.word_indexes;
  texts record;
begin
  select * into strict index from service.word_indexes where table_name = _table_name;
  select
    string_agg(own.exact, ' | ') as exact,
    string_agg(own.stemmed, ' | ') as stemmed,
    string_agg(own.prefixed, ' | ') as prefixed
  into texts
  from (
    select
      '(' || string_agg(term.exact, ' & ') || ')' as exact,
      '(' || string_agg(term.stemmed, ' & ') || ')' as stemmed,
      '(' || string_agg(term.prefixed, ' & ') || ')' as prefixed
    from jsonb_array_elements(_query) with ordinality as alternatives (alternative, number)
    cross join lateral jsonb_array_elements(alternative) with ordinality as terms (term, at)
    cross join lateral (
      select
        case when is_not then '!(' || stemmed || ')' else '(' || exact || ')' end as exact,
        case when is_not then '!(' || stemmed || ')' else '(' || stemmed || ')' end as stemmed,
        case when is_not then '!(' || stemmed || ')' else '(' || prefixed || ')' end as prefixed
      from (
        select
          (term ->> 'not')::boolean as is_not,
          string_agg(distinct one.exact, ' | ') as exact,
          string_agg(distinct one.stemmed, ' | ') as stemmed,
          string_agg(distinct one.prefixed, ' | ') as prefixed
        from jsonb_array_elements_text(index.definition -> 'languages') as language
        cross join lateral service.term_queries(
          term, language, service.stem_prefix(language, index.definition -> 'languages'), index.is_folded, _groups
        ) as one
      ) as joined
    ) as term
    where term.prefixed is not null
    group by number
  ) as own;
  exact := texts.exact::tsquery;
  stemmed := texts.stemmed::tsquery;
  prefixed := texts.prefixed::tsquery;
end
$$;

-- PostgreSQL's estimate of how many rows of a table with words match a query.
create function service.estimated_matches(words regclass, query tsquery) returns bigint
language plpgsql
as $$
declare
  plan json;
begin
  execute format('explain (format json) select from %s where vector @@ %L::tsquery', words, query) into plan;
  return plan -> 0 -> 'Plan' ->> 'Plan Rows';
end
$$;
