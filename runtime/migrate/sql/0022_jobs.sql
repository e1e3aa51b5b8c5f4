-- Jobs: work of the app's own that outlives the request. A row is stored in the transaction that asks for the work,
-- any process runs it, and it is deleted when it is done.

create table service.jobs (
  id uuid not null,
  name text collate "C" not null,
  -- At most one waiting job of a name has a key, and at most one that runs.
  key text collate "C",
  -- JSON. Not of the type jsonb, which takes no text with the character U+0000.
  input text not null,
  priority smallint not null default 0,
  -- 'waiting', 'running' or 'failed'.
  state text collate "C" not null default 'waiting',
  -- Tries begun.
  attempt integer not null default 0,
  tries integer not null,
  -- When it may run, or may be tried again. Not rounded to milliseconds: what is due now would be due in a moment.
  due_at timestamptz not null,
  -- When it was to run at first.
  scheduled_at timestamptz(3) not null,
  -- The run that holds it: another one of the same job has another.
  claim uuid,
  -- When other processes take it over.
  leased_until timestamptz(3),
  started_at timestamptz(3),
  failed_at timestamptz(3),
  -- Of the last try that failed.
  error text,
  -- The schedule that added it.
  schedule text collate "C",
  -- W3C trace context of the request that added it.
  traceparent text collate "C",
  created_at timestamptz(3) not null default now(),
  constraint jobs_pkey primary key (id)
) with (
  -- Rows come and go, so that dead ones must not heap up at the front of the indexes.
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.1
);

create index jobs_waiting_idx on service.jobs (name, priority, due_at) where state = 'waiting';
create unique index jobs_waiting_key_idx on service.jobs (name, key) where key is not null and state = 'waiting';
create index jobs_running_idx on service.jobs (name, key) where state = 'running';
create index jobs_failed_idx on service.jobs (id) where state = 'failed';

-- The names of jobs that the app has, so that those that wait for a name that is gone are noticed.
create table service.job_names (
  name text collate "C" not null,
  -- When a process last started that has it.
  seen_at timestamptz(3) not null default now(),
  constraint job_names_pkey primary key (name)
);

-- When each schedule is due next. Whoever moves that time on adds the job of it, so that each time has one job.
create table service.schedules (
  name text collate "C" not null,
  -- What the next time was calculated from.
  cron text collate "C" not null,
  timezone text collate "C" not null,
  next_at timestamptz(3) not null,
  -- The time of the last job, and that job.
  last_at timestamptz(3),
  last_job uuid,
  -- Whether that job has failed.
  last_failed boolean not null default false,
  constraint schedules_pkey primary key (name)
);

-- Deletes jobs that are done, and claims others that are due: those of a lower priority first, then those that were
-- due first. One call, so that a process that runs many small jobs waits for one commit at a time. `_limits` says how
-- many of a name may run over all machines; where there is any, one process claims at a time, so that the count of
-- those that run is right. `_now` is null but in tests.
--
-- A lane is what waits of one name with one priority, found by jumping from one to the next in the index: however many
-- jobs wait, only the first of each lane are read. A waiting job whose key runs is left where it is.
create function service.claim_jobs(
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
-- The table may have been empty when the plan was made.
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
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
  from picked
  where jobs.id = picked.id
  returning jobs.*;
end
$$;
