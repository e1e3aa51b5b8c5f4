-- Claims of jobs that never read all that wait: a join of the last statement did, once a million were waiting.

-- Deletes jobs that are done, and claims others that are due: those of a lower priority first, then those that were
-- due first. One call, so that a process that runs many small jobs waits for one commit at a time. `_limits` says how
-- many of a name may run over all machines; where there is any, one process claims at a time, so that the count of
-- those that run is right. `_now` is null but in tests.
--
-- Every row is found in the order of an index, whatever the statistics say: they may be those of an empty table.
--
-- A lane is what waits of one name with one priority, found by jumping from one to the next in the index: however many
-- jobs wait, only the first of each lane are read. A waiting job whose key runs is left where it is.
create or replace function service.claim_jobs(
  _names text[],
  _limits integer[],
  _most integer,
  _lease double precision,
  _now timestamptz,
  _done uuid[],
  _claims uuid[]
)
returns setof service.jobs
language plpgsql
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
set plan_cache_mode = force_generic_plan
-- A process that waits too long for its turn to claim gives up, and goes on with what it runs.
set lock_timeout = '2s'
as $$
begin
  if cardinality(_done) > 0 then
    delete from service.jobs
    using unnest(_done, _claims) as held (id, claim)
    where jobs.id = held.id and jobs.claim = held.claim;
  end if;
  if _most < 1 then
    return;
  end if;
  if exists (select from unnest(_limits) as kind (together) where together is not null) then
    perform pg_advisory_xact_lock(7364006);
  end if;
  return query
  with recursive kinds as (
    select name, least(_most, together - (
      select count(*)
      from service.jobs
      where state = 'running' and jobs.name = kind.name and together is not null
    ))::integer as room
    from unnest(_names, _limits) as kind (name, together)
  ), lanes as (
    select name, room, (
      select jobs.priority
      from service.jobs
      where jobs.state = 'waiting' and jobs.name = kinds.name
      order by jobs.priority
      limit 1
    ) as priority
    from kinds
    where room > 0
    union all
    select name, room, (
      select jobs.priority
      from service.jobs
      where jobs.state = 'waiting' and jobs.name = lanes.name and jobs.priority > lanes.priority
      order by jobs.priority
      limit 1
    )
    from lanes
    where priority is not null
  ), found as (
    select first.*, lanes.room,
      row_number() over (partition by first.name order by first.priority, first.due_at) as place
    from lanes
    cross join lateral (
      select jobs.id, jobs.name, jobs.priority, jobs.due_at
      from service.jobs
      where jobs.state = 'waiting'
        and jobs.name = lanes.name
        and jobs.priority = lanes.priority
        and jobs.due_at <= coalesce(_now, now())
        and (jobs.key is null or not exists (
          select
          from service.jobs as running
          where running.state = 'running' and running.name = jobs.name and running.key = jobs.key
        ))
      order by jobs.due_at
      limit lanes.room
      for update skip locked
    ) as first
  ), picked as (
    select found.id
    from found
    where found.place <= found.room
    order by found.priority, found.due_at
    limit _most
  )
  update service.jobs
  set state = 'running',
      attempt = attempt + 1,
      claim = gen_random_uuid(),
      leased_until = coalesce(_now, now()) + _lease * interval '1 second',
      started_at = coalesce(_now, now())
  where jobs.id = any (array(select picked.id from picked))
  returning jobs.*;
end
$$;
