-- Which schedules have a process that runs them, and what the tries of jobs have come to.

alter table service.schedules
  -- When a process last ran that has it, with these times. One of another release leaves it alone until then.
  add column seen_at timestamptz(3) not null default now();

-- A process that waits too long for its turn to claim gives up, and goes on with what it runs.
alter function service.claim_jobs(
  text[], integer[], integer, double precision, timestamptz, uuid[], uuid[]
) set lock_timeout = '2s';

-- How many tries ended in each hour, for operators: jobs that are done are deleted.
create table service.job_hours (
  hour timestamptz(0) not null,
  done bigint not null,
  failed bigint not null,
  constraint job_hours_pkey primary key (hour)
);
