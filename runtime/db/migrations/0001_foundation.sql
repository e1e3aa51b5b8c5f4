-- What every installation has: who it is, its accounts, their sessions, the limits on attempts,
-- and the files that were uploaded. The schema itself is made with the ledger of migrations.

create table service.installation (
  id text collate "C" not null,
  created_at timestamptz(3) not null default now(),
  constraint installation_pkey primary key (id),
  constraint installation_id_form check (id ~ '^[0-9a-f]{12}$')
);

create unique index installation_single on service.installation ((true));

insert into service.installation (id)
values (right(replace(gen_random_uuid()::text, '-', ''), 12));

create table service.users (
  id uuid not null,
  name text collate "und-x-icu" not null,
  -- In the form in which addresses are compared: trimmed, lower case, domain in punycode.
  email text collate "C" not null,
  role text collate "C",
  password_hash text collate "C",
  email_verified_at timestamptz(3),
  -- Storage key of the picture.
  avatar text collate "C",
  disabled_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint users_pkey primary key (id),
  constraint users_email_key unique (email),
  constraint users_name_length check (char_length(name) between 1 and 255),
  constraint users_email_length check (char_length(email) between 3 and 254)
);

create table service.sessions (
  id uuid not null,
  user_id uuid not null,
  -- SHA-256 of the bearer token; the token itself is stored nowhere.
  token_hash bytea not null,
  name text collate "und-x-icu",
  browser text collate "und-x-icu",
  ip_address text collate "C",
  -- The factors that were shown when it was opened, such as {password,totp}.
  proofs text[] collate "C" not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  constraint sessions_pkey primary key (id),
  constraint sessions_token_hash_key unique (token_hash),
  constraint sessions_user_id_fkey foreign key (user_id)
    references service.users (id) on delete cascade,
  constraint sessions_token_hash_length check (octet_length(token_hash) = 32),
  constraint sessions_name_length check (char_length(name) between 1 and 255),
  constraint sessions_browser_length check (char_length(browser) <= 255),
  constraint sessions_proofs_some check (cardinality(proofs) > 0)
);

create index sessions_user_id_idx on service.sessions (user_id);
create index sessions_expires_at_idx on service.sessions (expires_at);

-- One row for each thing that is limited; the times of the last tries make an exact sliding window.
create table service.attempts (
  key text collate "C" not null,
  at timestamptz(3)[] not null,
  expires_at timestamptz(3) not null,
  constraint attempts_pkey primary key (key),
  constraint attempts_key_length check (char_length(key) between 1 and 255)
);

create index attempts_expires_at_idx on service.attempts (expires_at);

create table service.uploads (
  key text collate "C" not null,
  -- The resource and field that it was uploaded to: the only field that may hold the key.
  resource text collate "C" not null,
  field text collate "C" not null,
  user_id uuid,
  -- The file details object as clients see it; json and not jsonb, to keep its order.
  details json not null,
  created_at timestamptz(3) not null default now(),
  constraint uploads_pkey primary key (key),
  constraint uploads_user_id_fkey foreign key (user_id)
    references service.users (id) on delete set null
);

create index uploads_user_id_idx on service.uploads (user_id);
