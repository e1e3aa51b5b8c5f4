-- Apps that act for people (OAuth 2.1), and operators who see what an account sees. Both are sessions, and end like those.

-- The rights of connected apps. The token of its session is never sent: an app's tokens are in `app_tokens`.
create table service.app_grants (
  id uuid not null,
  client_id text collate "C" not null,
  scope text collate "C" not null,
  resource text collate "C" not null,
  -- Of the code that it began with: a second use of it ends the grant.
  code_hash bytea not null,
  -- Of the first half of all its refresh tokens, by which one that is no longer stored is known.
  family_hash bytea not null,
  constraint app_grants_pkey primary key (id),
  constraint app_grants_id_fkey foreign key (id) references service.sessions (id) on delete cascade,
  constraint app_grants_code_hash_key unique (code_hash),
  constraint app_grants_family_hash_key unique (family_hash)
);

create table service.app_tokens (
  token_hash bytea not null,
  grant_id uuid not null,
  kind text collate "C" not null,
  -- When a refresh token was first used.
  used_at timestamptz(3),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  constraint app_tokens_pkey primary key (token_hash),
  constraint app_tokens_grant_id_fkey foreign key (grant_id) references service.app_grants (id) on delete cascade,
  constraint app_tokens_kind_known check (kind in ('access', 'refresh'))
);

create index app_tokens_grant_id_idx on service.app_tokens (grant_id, kind, created_at);

-- Codes that have not been used yet.
create table service.app_codes (
  code_hash bytea not null,
  user_id uuid not null,
  -- The account's when it allowed the app.
  generation integer not null,
  client_id text collate "C" not null,
  name text collate "und-x-icu" not null,
  redirect_uri text collate "C" not null,
  challenge text collate "C" not null,
  scope text collate "C" not null,
  resource text collate "C" not null,
  -- Of the sign-in that allowed it.
  identity_id uuid,
  latest_end timestamptz(3),
  expires_at timestamptz(3) not null,
  constraint app_codes_pkey primary key (code_hash),
  constraint app_codes_user_id_fkey foreign key (user_id) references service.users (id) on delete cascade
);

create index app_codes_user_id_idx on service.app_codes (user_id);
create index app_codes_expires_at_idx on service.app_codes (expires_at);

-- The operator who sees what the account of the session sees.
create table service.account_views (
  id uuid not null,
  viewer_id uuid not null,
  constraint account_views_pkey primary key (id),
  constraint account_views_id_fkey foreign key (id) references service.sessions (id) on delete cascade,
  constraint account_views_viewer_id_fkey foreign key (viewer_id) references service.users (id) on delete cascade
);

create index account_views_viewer_id_idx on service.account_views (viewer_id);

-- The reason for an action, if its author had to give one.
alter table service.account_events add column reason text collate "und-x-icu";
