-- Uploads that go on after an interruption: what has come of each, and whose turn it is to add to it.

create table service.resumable_uploads (
  id uuid not null,
  resource text collate "C" not null,
  field text collate "C" not null,
  -- The account; with the app's own sign-in, the one that it names.
  sender text collate "C" not null,
  -- The key under which the bytes come together, and whether they are where private files are.
  key text collate "C" not null,
  is_private boolean not null,
  name text not null,
  content_type text,
  -- As it was sent.
  metadata text not null,
  length bigint not null,
  -- How many bytes are kept. What the storage and the inspection need to go on from there is in the next two columns.
  size bigint not null default 0,
  parts json,
  judged json,
  state text collate "C" not null default 'open',
  -- Of a file that is done.
  details json,
  -- Of one that was refused.
  status smallint,
  error text,
  -- The last request that asked for a turn, the one that has it, and when that one was last alive. A request whose number
  -- is no longer the last one ends by itself.
  turn integer not null default 0,
  held integer,
  beat_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  -- So many hours after the last byte.
  expires_at timestamptz(3) not null,
  constraint resumable_uploads_pkey primary key (id),
  constraint resumable_uploads_state_known check (state in ('open', 'done', 'refused')),
  constraint resumable_uploads_size_within check (size between 0 and length)
)
-- Each mebibyte that comes changes the row, mostly in place.
with (fillfactor = 50);

create index resumable_uploads_open_idx on service.resumable_uploads (sender) where state = 'open';
create index resumable_uploads_expires_at_idx on service.resumable_uploads (expires_at);
