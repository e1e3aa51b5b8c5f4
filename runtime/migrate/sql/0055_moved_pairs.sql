-- Records that become entries of lists of links, and entries that become records.

-- Refuses changes of rows that a migration has copied and is about to drop: they would be lost. The
-- argument is the list's column, in a table that stays. Changes by triggers result from deletions,
-- which the copy follows as well. The error makes a server report that the request may succeed
-- soon: it does, on a server of the next release.
create function service.refuse_moved() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'DELETE' then
    if pg_trigger_depth() > 1 then
      return old;
    end if;
  elsif tg_nargs > 0 and (
    pg_trigger_depth() > 1
    or to_jsonb(new) -> tg_argv[0] = case tg_op when 'INSERT' then '[]' else to_jsonb(old) -> tg_argv[0] end
  ) then
    return new;
  end if;
  raise lock_not_available using message = format(
    '%s is about to be replaced by a migration', concat_ws('.', tg_table_name, tg_argv[0])
  );
end
$$;

-- The pairs of a record in the trash become its list there, and those of a target become links that
-- its deletion has cleared.
create procedure service.move_trashed_pairs(
  pairs text, record text, target text, table_name text, column_name text
)
language plpgsql
as $$
declare
  target_table text;
begin
  select service.table_name(confrelid) into target_table
  from pg_constraint
  join pg_attribute on attrelid = conrelid and attnum = conkey[1] and attname = target
  where conrelid = to_regclass(format('public.%I', pairs)) and contype = 'f';

  update service.trash
  set image = image || jsonb_build_object(column_name, list.ids)
  from (
    select mark, record_id, jsonb_agg(target_id order by created, id) as ids
    from (
      select distinct on (mark, image ->> record, image ->> target)
        mark, id, image ->> record as record_id, image ->> target as target_id,
        (image ->> 'created_at')::timestamptz as created
      from service.trash
      where trash.table_name = pairs
      order by mark, image ->> record, image ->> target, created, id
    ) as pair
    group by mark, record_id
  ) as list
  where trash.table_name = move_trashed_pairs.table_name
    and trash.id = list.record_id::uuid
    and trash.mark = list.mark;

  -- A pair is positioned after those created before it.
  execute format(
    'update service.trash
     set cleared = coalesce(cleared, ''[]'') || jsonb_build_object(
       ''table'', $4, ''column'', $5, ''ids'', lost.ids, ''positions'', lost.positions
     )
     from (
       select mark, target_id, jsonb_agg(record_id order by record_id) as ids,
         jsonb_agg(
           1 + (
             select count(distinct %2$I) from public.%1$I where %3$I = pair.record_id::uuid and created_at < pair.created
           )
           order by record_id
         ) as positions
       from (
         select mark, image ->> $3 as target_id, image ->> $2 as record_id,
           min((image ->> ''created_at'')::timestamptz) as created
         from service.trash
         where table_name = $1
         group by 1, 2, 3
       ) as pair
       where not exists (
         select from service.trash as own
         where own.table_name = $4 and own.id = pair.record_id::uuid and own.mark = pair.mark
       )
       group by mark, target_id
     ) as lost
     where trash.table_name = $6 and trash.id = lost.target_id::uuid and trash.mark = lost.mark',
    pairs, target, record
  )
  using pairs, record, target, table_name, column_name, target_table;
end
$$;

-- The lists of records in the trash become pairs there, and so do the entries that the deletion of a target has cleared.
create procedure service.move_trashed_entries(
  table_name text, column_name text, pairs text, record text, target text
)
language plpgsql
as $$
declare
  target_relation regclass;
  target_table text;
  belongs boolean[];
begin
  if not service.has_trash(pairs) then
    return;
  end if;
  select max(confrelid) filter (where attname = target), max(service.table_name(confrelid)) filter (where attname = target),
    array[
      bool_or(confdeltype = 'c') filter (where attname = record),
      bool_or(confdeltype = 'c') filter (where attname = target)
    ]
  into target_relation, target_table, belongs
  from pg_constraint
  join pg_attribute on attrelid = conrelid and attnum = conkey[1]
  where conrelid = to_regclass(format('public.%I', pairs)) and contype = 'f';

  execute format(
    'insert into service.trash (table_name, id, mark, is_root, deleted_at, deleted_by, image, parents)
     select
       $3, id, mark, false, deleted_at, deleted_by,
       jsonb_build_object(
         ''id'', id, $4, record_id, $5, target_id, ''created_at'', created, ''updated_at'', created
       ),
       nullif(array_remove(array[
         case when $6[1] then $1 || ''/'' || record_id end, case when $6[2] then $7 || ''/'' || target_id end
       ], null), ''{}'')
     from (
       select service.uuid_v7() as id, mark, deleted_at, deleted_by, record_id, target_id,
         now() - interval ''1 millisecond'' * (
           count(*) over (partition by mark, record_id)
             - row_number() over (partition by mark, record_id order by place)
         ) as created
       from (
         select mark, deleted_at, deleted_by, trash.id::text as record_id, target_id, place
         from service.trash
         cross join unnest(service.elements_of(image -> $2)) with ordinality as listed (target_id, place)
         where table_name = $1
         union all
         select mark, deleted_at, deleted_by, record_id, trash.id::text, 1
         from service.trash
         cross join jsonb_array_elements(cleared) as link
         cross join jsonb_array_elements_text(link -> ''ids'') as entry (record_id)
         where table_name = $7 and link @> jsonb_build_object(''table'', $1, ''column'', $2)
       ) as entry
       where not exists (
           select from service.trash as pair
           where pair.table_name = $3
             and pair.mark = entry.mark
             and pair.image @> jsonb_build_object($4, entry.record_id, $5, entry.target_id)
         )
         and (
           exists (select from public.%1$I as own where own.id = entry.record_id::uuid)
           or exists (select from service.trash as own where own.table_name = $1 and own.id = entry.record_id::uuid)
         )
         and (
           exists (select from %2$s as linked where linked.id = entry.target_id::uuid)
           or exists (select from service.trash as linked where linked.table_name = $7 and linked.id = entry.target_id::uuid)
         )
     ) as pair',
    table_name, target_relation
  )
  using table_name, column_name, pairs, record, target, belongs, target_table;

  update service.trash
  set cleared = nullif(
    (
      select coalesce(jsonb_agg(link order by place), '[]')
      from jsonb_array_elements(cleared) with ordinality as lost (link, place)
      where not link @> jsonb_build_object(
        'table', move_trashed_entries.table_name, 'column', move_trashed_entries.column_name
      )
    ),
    '[]'
  )
  where trash.table_name = target_table
    and cleared @> jsonb_build_array(
      jsonb_build_object('table', move_trashed_entries.table_name, 'column', move_trashed_entries.column_name)
    );
end
$$;
