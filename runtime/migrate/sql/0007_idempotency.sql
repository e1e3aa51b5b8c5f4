-- The answers to writes that were sent with an Idempotency-Key: whoever repeats such a request within a day
-- gets the first answer, and nothing is written again.

create table service.kept_answers (
  -- Not a link: an app's own sign-in may know accounts that are no rows here.
  account_id text collate "C" not null,
  key text collate "C" not null,
  -- A hash of the request's method, address and body.
  request bytea not null,
  status smallint not null,
  -- JSON; null where the answer has no body.
  body text,
  location text,
  etag text,
  kept_at timestamptz(3) not null default now(),
  constraint kept_answers_pkey primary key (account_id, key)
);

create index kept_answers_kept_at_idx on service.kept_answers (kept_at);
