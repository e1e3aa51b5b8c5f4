-- Expired marks of any size: each is deleted by as many statements of one transaction as necessary.

-- Deletes rows from the trash permanently, with all in it that belongs to them by cascade; a row that is not there itself may
-- have such rows too. `_rows` are 'table/id'. Of the mark `_apart` only these rows are deleted. Returns how many.
drop function service.empty_trash(text[]);
create function service.empty_trash(_rows text[], _apart uuid default null) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  emptied integer;
begin
  with recursive lost (key) as (
    select unnest(_rows) collate "C"
    union
    select (trash.table_name || '/' || trash.id) collate "C"
    from lost
    join service.trash on trash.parents @> array[lost.key] and (_apart is null or trash.mark <> _apart)
  ),
  deleted as (
    delete from service.trash
    using (select left(key, -37) as table_name, right(key, 36)::uuid as id from lost) as lost
    where trash.table_name = lost.table_name and trash.id = lost.id
    returning trash.table_name, trash.id, trash.key
  ),
  logged as (
    insert into service.changes_new (resource, op, id, key, account)
    select
      split_part(encode(tgargs, 'escape'), '\000', 1), 'purge', id, key,
      case when key is null then service.writing_account(id) else service.writing_account_of(key) end
    from deleted
    join pg_trigger on tgrelid = to_regclass(service.table_sql(table_name)) and tgname = 'change_log'
  )
  select count(*) into emptied from deleted;
  return emptied;
end
$$;

revoke execute on function service.empty_trash(text[], uuid) from public;

drop function service.expire_trash(jsonb, integer);

-- The marks whose retention in the trash is over. It is that of the table of their root row, in
-- days by table ({"notes": 30}). Up to `_most` of them, the oldest of each table first.
create function service.expired_marks(_days jsonb, _skipped uuid[], _most integer) returns setof uuid
language sql stable
begin atomic
  select old.mark
  from jsonb_each_text(_days) as setting (table_name, days)
  cross join lateral (
    select trash.mark
    from service.trash
    where trash.table_name = setting.table_name
      and trash.table_name <> ''
      and trash.deleted_at < now() - make_interval(days => setting.days::integer)
      and trash.is_root
      and trash.mark <> all (_skipped)
    order by trash.deleted_at
    limit _most
  ) as old
  limit _most;
end;

-- Deletes the rows with these marks, mark by mark, until at least `_most` rows are deleted. If rows
-- of a mark remain, `unfinished` is that mark: the same transaction must continue with it, as
-- `_begun`. A mark's root is deleted last. `deleted` is null while another server deletes.
create function service.expire_marks(
  _marks uuid[], _begun uuid, _most integer, out deleted integer, out unfinished uuid
)
language plpgsql
as $$
declare
  present uuid;
begin
  if not pg_try_advisory_xact_lock(7364057) then
    return;
  end if;
  deleted := 0;
  foreach present in array _marks loop
    if present is distinct from _begun then
      -- Waits for a restore of these records, after which they are no longer there.
      perform from service.trash where mark = present order by table_name, id for update;
    end if;
    deleted := deleted + coalesce(
      (
        select service.empty_trash(array_agg(key), present)
        from (
          select table_name || '/' || id as key
          from service.trash
          where mark = present
          order by is_root
          limit _most - deleted
        ) as rows
      ),
      0
    );
    if deleted >= _most then
      select mark into unfinished from service.trash where mark = present limit 1;
      return;
    end if;
  end loop;
end
$$;
