-- The installation, its accounts with their sessions and every way to sign in, and the limits on attempts.
-- The schema itself is created with the table of applied migrations.

create table service.installation (
  id text collate "C" not null,
  created_at timestamptz(3) not null default now(),
  -- When any server last looked for unused uploads.
  uploads_pruned_at timestamptz(3),
  constraint installation_pkey primary key (id),
  constraint installation_id_form check (id ~ '^[0-9a-f]{12}$')
);

create unique index installation_single on service.installation ((true));

insert into service.installation (id)
values (right(replace(gen_random_uuid()::text, '-', ''), 12));

create table service.users (
  id uuid not null,
  name text collate "und-x-icu" not null,
  -- Normalized, as addresses are compared: trimmed, in lower case, the domain in punycode.
  email text collate "C" not null,
  role text collate "C",
  password_hash text collate "C",
  email_verified_at timestamptz(3),
  -- Storage key of the picture.
  avatar text collate "C",
  disabled_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Incremented when earlier proofs may no longer open a session.
  generation integer not null default 0,
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
  -- The factors that opened it, such as {password,totp}.
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

-- One row for each limited action; the times of the last attempts make an exact sliding window.
create table service.attempts (
  key text collate "C" not null,
  at timestamptz(3)[] not null,
  expires_at timestamptz(3) not null,
  constraint attempts_pkey primary key (key),
  constraint attempts_key_length check (char_length(key) between 1 and 255)
);

create index attempts_expires_at_idx on service.attempts (expires_at);

-- Mailed codes and links. An address without an account has the same rows, so that nothing tells them apart.
create table service.mailed_proofs (
  purpose text collate "C" not null,
  email text collate "C" not null,
  -- HMAC of the six digits, bound to purpose and address.
  code_digest bytea not null,
  -- SHA-256 of the link's token.
  token_hash bytea not null,
  tries smallint not null default 0,
  spent_at timestamptz(3),
  expires_at timestamptz(3) not null,
  constraint mailed_proofs_pkey primary key (purpose, email),
  constraint mailed_proofs_token_hash_key unique (token_hash),
  constraint mailed_proofs_purpose_known
    check (purpose in ('sign-in-code', 'sign-in-link', 'verification', 'reset'))
);

create index mailed_proofs_expires_at_idx on service.mailed_proofs (expires_at);

-- Sign-ins that await their second step.
create table service.challenges (
  -- SHA-256 of the challenge.
  token_hash bytea not null,
  user_id uuid not null,
  -- The account's generation when the first proof was given.
  generation integer not null,
  proof text collate "C" not null,
  device_name text collate "und-x-icu",
  -- HMAC of the code that was mailed for it, if one was.
  email_code_digest bytea,
  tries smallint not null default 0,
  expires_at timestamptz(3) not null,
  constraint challenges_pkey primary key (token_hash),
  constraint challenges_user_id_fkey foreign key (user_id)
    references service.users (id) on delete cascade,
  constraint challenges_proof_known check (proof in ('password', 'magic-link', 'email-code'))
);

create index challenges_user_id_idx on service.challenges (user_id);
create index challenges_expires_at_idx on service.challenges (expires_at);

-- Accounts whose second step is on.
create table service.second_steps (
  user_id uuid not null,
  -- Encrypted.
  authenticator_secret bytea,
  -- The latest 30-second step whose authenticator code was used.
  authenticator_step bigint,
  email boolean not null default false,
  -- Encrypted; the key of the backup codes' HMACs.
  backup_key bytea not null,
  constraint second_steps_pkey primary key (user_id),
  constraint second_steps_user_id_fkey foreign key (user_id)
    references service.users (id) on delete cascade,
  constraint second_steps_some check (authenticator_secret is not null or email)
);

create table service.backup_codes (
  user_id uuid not null,
  -- HMAC; a used code is deleted.
  digest bytea not null,
  constraint backup_codes_pkey primary key (user_id, digest),
  constraint backup_codes_user_id_fkey foreign key (user_id)
    references service.second_steps (user_id) on delete cascade
);

-- Second steps that await their first correct code.
create table service.second_step_set_ups (
  user_id uuid not null,
  -- Encrypted; only for an authenticator.
  authenticator_secret bytea,
  -- HMAC of the code that was mailed.
  email_code_digest bytea,
  tries smallint not null default 0,
  expires_at timestamptz(3) not null,
  constraint second_step_set_ups_pkey primary key (user_id),
  constraint second_step_set_ups_user_id_fkey foreign key (user_id)
    references service.users (id) on delete cascade,
  constraint second_step_set_ups_one_kind
    check (num_nonnulls(authenticator_secret, email_code_digest) = 1)
);

create table service.passkeys (
  id uuid not null,
  user_id uuid not null,
  credential_id bytea not null,
  -- COSE (RFC 9052).
  public_key bytea not null,
  counter bigint not null,
  device_type text collate "C" not null,
  backed_up boolean not null,
  transports text[] collate "C" not null,
  name text collate "und-x-icu" not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  constraint passkeys_pkey primary key (id),
  constraint passkeys_user_id_fkey foreign key (user_id)
    references service.users (id) on delete cascade,
  constraint passkeys_credential_id_key unique (credential_id),
  constraint passkeys_credential_id_length check (octet_length(credential_id) between 1 and 1023),
  constraint passkeys_device_type_known check (device_type in ('singleDevice', 'multiDevice')),
  constraint passkeys_name_length check (char_length(name) between 1 and 120)
);

create index passkeys_user_id_idx on service.passkeys (user_id);

create table service.passkey_challenges (
  -- SHA-256 of the challenge.
  challenge_hash bytea not null,
  -- The account that adds a passkey; null for a sign-in.
  user_id uuid,
  expires_at timestamptz(3) not null,
  constraint passkey_challenges_pkey primary key (challenge_hash),
  constraint passkey_challenges_user_id_fkey foreign key (user_id)
    references service.users (id) on delete cascade
);

create index passkey_challenges_user_id_idx on service.passkey_challenges (user_id);
create index passkey_challenges_expires_at_idx on service.passkey_challenges (expires_at);
