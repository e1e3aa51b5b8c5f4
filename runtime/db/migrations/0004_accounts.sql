-- Every way to sign in beside the password, the second step, and what is mailed to prove an address.
-- A server that does not know second steps would sign people in without theirs.
-- @breaking

-- Grows whenever proofs that were shown before may open no session any more.
alter table service.users add column generation integer not null default 0;

-- Codes and links that were mailed, or would have been: an address without an account has the same rows.
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

-- Sign-ins that wait for their second step.
create table service.challenges (
  -- SHA-256 of the challenge.
  token_hash bytea not null,
  user_id uuid not null,
  -- The account's when the first proof was shown.
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
  -- The newest thirty seconds whose authenticator code was used.
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
  -- HMAC; a code that was used is gone.
  digest bytea not null,
  constraint backup_codes_pkey primary key (user_id, digest),
  constraint backup_codes_user_id_fkey foreign key (user_id)
    references service.second_steps (user_id) on delete cascade
);

-- Second steps that wait for their first right code.
create table service.second_step_set_ups (
  user_id uuid not null,
  -- Encrypted; of an authenticator.
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
  -- Who adds a passkey; null where somebody signs in.
  user_id uuid,
  expires_at timestamptz(3) not null,
  constraint passkey_challenges_pkey primary key (challenge_hash),
  constraint passkey_challenges_user_id_fkey foreign key (user_id)
    references service.users (id) on delete cascade
);

create index passkey_challenges_user_id_idx on service.passkey_challenges (user_id);
create index passkey_challenges_expires_at_idx on service.passkey_challenges (expires_at);
