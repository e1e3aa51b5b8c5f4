-- What happened to accounts, accounts that an operator invited, and service tokens.

-- Neither id has a foreign key: events outlive accounts.
create table service.account_events (
  -- In the order of time (UUID version 7).
  id uuid not null,
  at timestamptz(3) not null,
  kind text collate "C" not null,
  account_id uuid not null,
  -- The account that did it; null for the command line.
  by_id uuid,
  constraint account_events_pkey primary key (id),
  constraint account_events_kind_length check (char_length(kind) between 1 and 50)
);

create index account_events_account_id_id_idx on service.account_events (account_id, id);
create index account_events_kind_id_idx on service.account_events (kind, id);

-- The lowest UUID of version 7 that is made at that time.
create function service.lowest_id(at timestamptz) returns uuid
language sql immutable
as $$
  select (
    lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000000000000000'
  )::uuid
$$;

-- An operator chose the name, and not whoever registered the address: it stays when the address is verified.
alter table service.users add column invited boolean not null default false;

create index users_created_at_id_idx on service.users (created_at, id);

-- The invitation's link is beside that of a reset, which anybody may request.
alter table service.mailed_proofs
  drop constraint mailed_proofs_purpose_known,
  add constraint mailed_proofs_purpose_known
    check (purpose in ('sign-in-code', 'sign-in-link', 'verification', 'reset', 'invitation'));

-- Tokens that the command line made; few of all sessions.
create index sessions_service_tokens_idx on service.sessions (user_id)
where proofs = '{service-token}';
