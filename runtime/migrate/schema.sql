-- The schema of the package as all migrations in sql/ leave it, to be read: nothing runs this file.
-- npm run golden writes it; test/runtime/migrate/schema.test.ts compares it with what the migrations make.

create schema service;

create table service.account_events (
  id uuid not null,
  at timestamp(3) with time zone not null,
  kind text collate "C" not null,
  account_id uuid not null,
  by_id uuid,
  reason text collate "und-x-icu"
);
alter table service.account_events add constraint account_events_kind_length CHECK (((char_length(kind) >= 1) AND (char_length(kind) <= 50)));
alter table service.account_events add constraint account_events_pkey PRIMARY KEY (id);
CREATE INDEX account_events_account_id_id_idx ON service.account_events USING btree (account_id, id);
CREATE INDEX account_events_kind_id_idx ON service.account_events USING btree (kind, id);

create table service.account_views (
  id uuid not null,
  viewer_id uuid not null
);
alter table service.account_views add constraint account_views_pkey PRIMARY KEY (id);
alter table service.account_views add constraint account_views_id_fkey FOREIGN KEY (id) REFERENCES service.sessions(id) ON DELETE CASCADE;
alter table service.account_views add constraint account_views_viewer_id_fkey FOREIGN KEY (viewer_id) REFERENCES service.users(id) ON DELETE CASCADE;
CREATE INDEX account_views_viewer_id_idx ON service.account_views USING btree (viewer_id);

create table service.app_codes (
  code_hash bytea not null,
  user_id uuid not null,
  generation integer not null,
  client_id text collate "C" not null,
  name text collate "und-x-icu" not null,
  redirect_uri text collate "C" not null,
  challenge text collate "C" not null,
  scope text collate "C" not null,
  resource text collate "C" not null,
  identity_id uuid,
  latest_end timestamp(3) with time zone,
  expires_at timestamp(3) with time zone not null
);
alter table service.app_codes add constraint app_codes_pkey PRIMARY KEY (code_hash);
alter table service.app_codes add constraint app_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES service.users(id) ON DELETE CASCADE;
CREATE INDEX app_codes_expires_at_idx ON service.app_codes USING btree (expires_at);
CREATE INDEX app_codes_user_id_idx ON service.app_codes USING btree (user_id);

create table service.app_grants (
  id uuid not null,
  client_id text collate "C" not null,
  scope text collate "C" not null,
  resource text collate "C" not null,
  code_hash bytea not null,
  family_hash bytea not null
);
alter table service.app_grants add constraint app_grants_code_hash_key UNIQUE (code_hash);
alter table service.app_grants add constraint app_grants_family_hash_key UNIQUE (family_hash);
alter table service.app_grants add constraint app_grants_pkey PRIMARY KEY (id);
alter table service.app_grants add constraint app_grants_id_fkey FOREIGN KEY (id) REFERENCES service.sessions(id) ON DELETE CASCADE;

create table service.app_tokens (
  token_hash bytea not null,
  grant_id uuid not null,
  kind text collate "C" not null,
  used_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null
);
alter table service.app_tokens add constraint app_tokens_kind_known CHECK ((kind = ANY (ARRAY['access'::text, 'refresh'::text])));
alter table service.app_tokens add constraint app_tokens_pkey PRIMARY KEY (token_hash);
alter table service.app_tokens add constraint app_tokens_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES service.app_grants(id) ON DELETE CASCADE;
CREATE INDEX app_tokens_grant_id_idx ON service.app_tokens USING btree (grant_id, kind, created_at);

create table service.attempts (
  key text collate "C" not null,
  at timestamp(3) with time zone[] not null,
  expires_at timestamp(3) with time zone not null
);
alter table service.attempts add constraint attempts_key_length CHECK (((char_length(key) >= 1) AND (char_length(key) <= 255)));
alter table service.attempts add constraint attempts_pkey PRIMARY KEY (key);
CREATE INDEX attempts_expires_at_idx ON service.attempts USING btree (expires_at);

create table service.backup_codes (
  user_id uuid not null,
  digest bytea not null
);
alter table service.backup_codes add constraint backup_codes_pkey PRIMARY KEY (user_id, digest);
alter table service.backup_codes add constraint backup_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES service.second_steps(user_id) ON DELETE CASCADE;

create table service.challenges (
  token_hash bytea not null,
  user_id uuid not null,
  generation integer not null,
  proof text collate "C" not null,
  device_name text collate "und-x-icu",
  email_code_digest bytea,
  tries smallint default 0 not null,
  expires_at timestamp(3) with time zone not null,
  arrival jsonb
);
alter table service.challenges add constraint challenges_pkey PRIMARY KEY (token_hash);
alter table service.challenges add constraint challenges_proof_known CHECK ((proof = ANY (ARRAY['password'::text, 'magic-link'::text, 'email-code'::text, 'provider'::text, 'vouched-address'::text])));
alter table service.challenges add constraint challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES service.users(id) ON DELETE CASCADE;
CREATE INDEX challenges_expires_at_idx ON service.challenges USING btree (expires_at);
CREATE INDEX challenges_user_id_idx ON service.challenges USING btree (user_id);

create table service.change_counter (
  only_row boolean default true not null,
  n bigint default 0 not null,
  log uuid default gen_random_uuid() not null,
  kept_after bigint default 0 not null,
  lowest_seq bigint default 0 not null,
  next_seq bigint default 0 not null,
  horizon xid8 default '0'::xid8 not null
) with (fillfactor=10);
alter table service.change_counter add constraint change_counter_only_row CHECK (only_row);
alter table service.change_counter add constraint change_counter_pkey PRIMARY KEY (only_row);

create table service.change_histories (
  resource text collate "C" not null,
  kept_after bigint not null
);
alter table service.change_histories add constraint change_histories_pkey PRIMARY KEY (resource);

create table service.changes (
  n bigint not null,
  at timestamp with time zone not null,
  resource text collate "C" not null,
  op text collate "C" not null,
  id uuid,
  account uuid,
  before jsonb,
  token text collate "C",
  job text collate "C",
  tx xid8,
  key text
);
alter table service.changes add constraint changes_pkey PRIMARY KEY (n);
CREATE INDEX changes_record_idx ON service.changes USING btree (resource, id, n);

create table service.changes_new (
  seq bigint generated always as identity (minvalue 1 start 1) not null,
  at timestamp with time zone default clock_timestamp() not null,
  resource text collate "C" not null,
  op text collate "C" not null,
  id uuid,
  account uuid,
  before jsonb,
  token text collate "C",
  job text collate "C",
  tx xid8 default pg_current_xact_id(),
  key text
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000);
alter table service.changes_new add constraint changes_new_pkey PRIMARY KEY (seq);

create table service.email_changes (
  user_id uuid not null,
  email text collate "C" not null,
  code_digest bytea not null,
  token_hash bytea not null,
  tries smallint default 0 not null,
  expires_at timestamp(3) with time zone not null
);
alter table service.email_changes add constraint email_changes_pkey PRIMARY KEY (user_id);
alter table service.email_changes add constraint email_changes_token_hash_key UNIQUE (token_hash);
alter table service.email_changes add constraint email_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES service.users(id) ON DELETE CASCADE;
CREATE INDEX email_changes_expires_at_idx ON service.email_changes USING btree (expires_at);

create table service.homes (
  user_id uuid,
  blocks json not null
);
alter table service.homes add constraint homes_blocks_are_list CHECK ((json_typeof(blocks) = 'array'::text));
alter table service.homes add constraint homes_user_id_key UNIQUE NULLS NOT DISTINCT (user_id);
alter table service.homes add constraint homes_user_id_fkey FOREIGN KEY (user_id) REFERENCES service.users(id) ON DELETE CASCADE;

create table service.identities (
  id uuid not null,
  user_id uuid not null,
  provider text collate "C" not null,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  email text collate "C",
  created_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone
);
alter table service.identities add constraint identities_issuer_length CHECK (((char_length(issuer) >= 1) AND (char_length(issuer) <= 2000)));
alter table service.identities add constraint identities_issuer_subject_key UNIQUE (issuer, subject);
alter table service.identities add constraint identities_pkey PRIMARY KEY (id);
alter table service.identities add constraint identities_provider_length CHECK (((char_length(provider) >= 1) AND (char_length(provider) <= 63)));
alter table service.identities add constraint identities_subject_length CHECK (((char_length(subject) >= 1) AND (char_length(subject) <= 255)));
alter table service.identities add constraint identities_user_id_provider_key UNIQUE (user_id, provider);
alter table service.identities add constraint identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES service.users(id) ON DELETE CASCADE;

create table service.imports (
  resource text not null,
  path text not null,
  digest bytea not null,
  rows bigint not null,
  lines bigint not null,
  bytes bigint not null,
  refused bigint not null,
  errors_bytes bigint not null,
  is_done boolean default false not null,
  changed_at timestamp(3) with time zone default now() not null
);
alter table service.imports add constraint imports_pkey PRIMARY KEY (resource, path);

create table service.installation (
  id text collate "C" not null,
  created_at timestamp(3) with time zone default now() not null,
  uploads_pruned_at timestamp(3) with time zone
);
alter table service.installation add constraint installation_id_form CHECK ((id ~ '^[0-9a-f]{12}$'::text));
alter table service.installation add constraint installation_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX installation_single ON service.installation USING btree ((true));

create table service.job_hours (
  hour timestamp(0) with time zone not null,
  done bigint not null,
  failed bigint not null
);
alter table service.job_hours add constraint job_hours_pkey PRIMARY KEY (hour);

create table service.job_names (
  name text collate "C" not null,
  seen_at timestamp(3) with time zone default now() not null
);
alter table service.job_names add constraint job_names_pkey PRIMARY KEY (name);

create table service.jobs (
  id uuid not null,
  name text collate "C" not null,
  key text collate "C",
  input text not null,
  priority smallint default 0 not null,
  state text collate "C" default 'waiting'::text not null,
  attempt integer default 0 not null,
  tries integer not null,
  due_at timestamp with time zone not null,
  scheduled_at timestamp(3) with time zone not null,
  claim uuid,
  leased_until timestamp(3) with time zone,
  started_at timestamp(3) with time zone,
  failed_at timestamp(3) with time zone,
  error text,
  schedule text collate "C",
  traceparent text collate "C",
  created_at timestamp(3) with time zone default now() not null
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000, autovacuum_analyze_scale_factor=0.1);
alter table service.jobs add constraint jobs_pkey PRIMARY KEY (id);
CREATE INDEX jobs_failed_idx ON service.jobs USING btree (id) WHERE (state = 'failed'::text);
CREATE INDEX jobs_running_idx ON service.jobs USING btree (name, key) WHERE (state = 'running'::text);
CREATE INDEX jobs_waiting_idx ON service.jobs USING btree (name, priority, due_at) WHERE (state = 'waiting'::text);
CREATE UNIQUE INDEX jobs_waiting_key_idx ON service.jobs USING btree (name, key) WHERE ((key IS NOT NULL) AND (state = 'waiting'::text));

create table service.kept_answers (
  account_id text collate "C" not null,
  key text collate "C" not null,
  request bytea not null,
  status smallint not null,
  body text,
  location text,
  etag text,
  kept_at timestamp(3) with time zone default now() not null,
  outcomes text
);
alter table service.kept_answers add constraint kept_answers_pkey PRIMARY KEY (account_id, key);
CREATE INDEX kept_answers_bodies_idx ON service.kept_answers USING btree (account_id, kept_at) WHERE (body IS NOT NULL);
CREATE INDEX kept_answers_kept_at_idx ON service.kept_answers USING btree (kept_at);
CREATE INDEX kept_answers_outcomes_idx ON service.kept_answers USING btree (account_id, kept_at) WHERE (outcomes IS NOT NULL);

create table service.mailed_proofs (
  purpose text collate "C" not null,
  email text collate "C" not null,
  code_digest bytea not null,
  token_hash bytea not null,
  tries smallint default 0 not null,
  spent_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone not null
);
alter table service.mailed_proofs add constraint mailed_proofs_pkey PRIMARY KEY (purpose, email);
alter table service.mailed_proofs add constraint mailed_proofs_purpose_known CHECK ((purpose = ANY (ARRAY['sign-in-code'::text, 'sign-in-link'::text, 'verification'::text, 'reset'::text, 'invitation'::text])));
alter table service.mailed_proofs add constraint mailed_proofs_token_hash_key UNIQUE (token_hash);
CREATE INDEX mailed_proofs_expires_at_idx ON service.mailed_proofs USING btree (expires_at);

create table service.mails (
  id uuid not null,
  email text collate "C" not null,
  kind text collate "C" not null,
  queue text collate "C" not null,
  sealed bytea not null,
  turn integer not null,
  tries integer default 0 not null,
  due_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone default now() not null,
  expires_at timestamp(3) with time zone not null
);
alter table service.mails add constraint mails_pkey PRIMARY KEY (id);
CREATE INDEX mails_email_idx ON service.mails USING btree (email);
CREATE INDEX mails_expires_at_idx ON service.mails USING btree (expires_at);
CREATE INDEX mails_nobodys_idx ON service.mails USING btree (due_at) WHERE (kind = 'none'::text);
CREATE INDEX mails_queue_turn_due_at_idx ON service.mails USING btree (queue, turn, due_at);

create table service.migration_steps (
  source text collate "C" not null,
  name text collate "C" not null,
  direction text collate "C" not null,
  step integer not null,
  checksum text collate "C" not null,
  breaking boolean not null,
  "position" uuid,
  done_at timestamp(3) with time zone
);
alter table service.migration_steps add constraint migration_steps_direction_known CHECK ((direction = ANY (ARRAY['up'::text, 'down'::text])));
alter table service.migration_steps add constraint migration_steps_pkey PRIMARY KEY (source, name, direction, step);

create table service.migrations (
  source text collate "C" not null,
  name text collate "C" not null,
  checksum text collate "C" not null,
  applied_at timestamp(3) with time zone default now() not null,
  breaking boolean default false not null
);
alter table service.migrations add constraint migrations_pkey PRIMARY KEY (source, name);
alter table service.migrations add constraint migrations_source_known CHECK ((source = ANY (ARRAY['package'::text, 'app'::text])));

create table service.owner_counts (
  owner uuid not null,
  table_name text collate "C" not null,
  slot bigint not null,
  total bigint not null
) with (fillfactor=50);
alter table service.owner_counts add constraint owner_counts_pkey PRIMARY KEY (owner, table_name, slot);

create table service.passkey_challenges (
  challenge_hash bytea not null,
  user_id uuid,
  expires_at timestamp(3) with time zone not null,
  site text collate "C" default 'default'::text not null
);
alter table service.passkey_challenges add constraint passkey_challenges_pkey PRIMARY KEY (challenge_hash);
alter table service.passkey_challenges add constraint passkey_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES service.users(id) ON DELETE CASCADE;
CREATE INDEX passkey_challenges_expires_at_idx ON service.passkey_challenges USING btree (expires_at);
CREATE INDEX passkey_challenges_user_id_idx ON service.passkey_challenges USING btree (user_id);

create table service.passkeys (
  id uuid not null,
  user_id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  device_type text collate "C" not null,
  backed_up boolean not null,
  transports text[] collate "C" not null,
  name text collate "und-x-icu" not null,
  created_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone,
  rp_id text collate "C"
);
alter table service.passkeys add constraint passkeys_credential_id_key UNIQUE (credential_id);
alter table service.passkeys add constraint passkeys_credential_id_length CHECK (((octet_length(credential_id) >= 1) AND (octet_length(credential_id) <= 1023)));
alter table service.passkeys add constraint passkeys_device_type_known CHECK ((device_type = ANY (ARRAY['singleDevice'::text, 'multiDevice'::text])));
alter table service.passkeys add constraint passkeys_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120)));
alter table service.passkeys add constraint passkeys_pkey PRIMARY KEY (id);
alter table service.passkeys add constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES service.users(id) ON DELETE CASCADE;
CREATE INDEX passkeys_user_id_idx ON service.passkeys USING btree (user_id);

create table service.provider_states (
  state_hash bytea not null,
  provider text collate "C" not null,
  nonce_hash bytea not null,
  challenge text collate "C" not null,
  return_to text not null,
  expires_at timestamp(3) with time zone not null
);
alter table service.provider_states add constraint provider_states_pkey PRIMARY KEY (state_hash);
CREATE INDEX provider_states_expires_at_idx ON service.provider_states USING btree (expires_at);

create table service.provider_tickets (
  ticket_hash bytea not null,
  provider text collate "C" not null,
  challenge text collate "C" not null,
  profile jsonb not null,
  expires_at timestamp(3) with time zone not null
);
alter table service.provider_tickets add constraint provider_tickets_pkey PRIMARY KEY (ticket_hash);
CREATE INDEX provider_tickets_expires_at_idx ON service.provider_tickets USING btree (expires_at);

create table service.provider_tokens (
  token_hash bytea not null,
  expires_at timestamp(3) with time zone not null
);
alter table service.provider_tokens add constraint provider_tokens_pkey PRIMARY KEY (token_hash);
CREATE INDEX provider_tokens_expires_at_idx ON service.provider_tokens USING btree (expires_at);

create table service.remarks (
  name text collate "C" not null,
  at timestamp(3) with time zone not null
);
alter table service.remarks add constraint remarks_pkey PRIMARY KEY (name);

create table service.resumable_uploads (
  id uuid not null,
  resource text collate "C" not null,
  field text collate "C" not null,
  sender text collate "C" not null,
  key text collate "C" not null,
  is_private boolean not null,
  name text not null,
  content_type text,
  metadata text not null,
  length bigint not null,
  size bigint default 0 not null,
  parts json,
  judged json,
  state text collate "C" default 'open'::text not null,
  details json,
  status smallint,
  error text,
  turn integer default 0 not null,
  held integer,
  beat_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default now() not null,
  expires_at timestamp(3) with time zone not null
) with (fillfactor=50);
alter table service.resumable_uploads add constraint resumable_uploads_pkey PRIMARY KEY (id);
alter table service.resumable_uploads add constraint resumable_uploads_size_within CHECK (((size >= 0) AND (size <= length)));
alter table service.resumable_uploads add constraint resumable_uploads_state_known CHECK ((state = ANY (ARRAY['open'::text, 'done'::text, 'refused'::text])));
CREATE INDEX resumable_uploads_expires_at_idx ON service.resumable_uploads USING btree (expires_at);
CREATE INDEX resumable_uploads_open_idx ON service.resumable_uploads USING btree (sender) WHERE (state = 'open'::text);

create table service.schedules (
  name text collate "C" not null,
  cron text collate "C" not null,
  timezone text collate "C" not null,
  next_at timestamp(3) with time zone not null,
  last_at timestamp(3) with time zone,
  last_job uuid,
  last_failed boolean default false not null,
  seen_at timestamp(3) with time zone default now() not null
);
alter table service.schedules add constraint schedules_pkey PRIMARY KEY (name);

create table service.search_indexes (
  table_name text collate "C" not null,
  index_name text collate "C" not null,
  columns text[] collate "C" not null
);
alter table service.search_indexes add constraint search_indexes_pkey PRIMARY KEY (table_name);

create table service.second_step_set_ups (
  user_id uuid not null,
  authenticator_secret bytea,
  email_code_digest bytea,
  tries smallint default 0 not null,
  expires_at timestamp(3) with time zone not null
);
alter table service.second_step_set_ups add constraint second_step_set_ups_one_kind CHECK ((num_nonnulls(authenticator_secret, email_code_digest) = 1));
alter table service.second_step_set_ups add constraint second_step_set_ups_pkey PRIMARY KEY (user_id);
alter table service.second_step_set_ups add constraint second_step_set_ups_user_id_fkey FOREIGN KEY (user_id) REFERENCES service.users(id) ON DELETE CASCADE;

create table service.second_steps (
  user_id uuid not null,
  authenticator_secret bytea,
  authenticator_step bigint,
  email boolean default false not null,
  backup_key bytea not null
);
alter table service.second_steps add constraint second_steps_pkey PRIMARY KEY (user_id);
alter table service.second_steps add constraint second_steps_some CHECK (((authenticator_secret IS NOT NULL) OR email));
alter table service.second_steps add constraint second_steps_user_id_fkey FOREIGN KEY (user_id) REFERENCES service.users(id) ON DELETE CASCADE;

create table service.sessions (
  id uuid not null,
  user_id uuid not null,
  token_hash bytea not null,
  name text collate "und-x-icu",
  browser text collate "und-x-icu",
  ip_address text collate "C",
  proofs text[] collate "C" not null,
  created_at timestamp(3) with time zone default now() not null,
  last_used_at timestamp(3) with time zone default now() not null,
  expires_at timestamp(3) with time zone not null,
  identity_id uuid,
  latest_end timestamp(3) with time zone
);
alter table service.sessions add constraint sessions_browser_length CHECK ((char_length(browser) <= 255));
alter table service.sessions add constraint sessions_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 255)));
alter table service.sessions add constraint sessions_pkey PRIMARY KEY (id);
alter table service.sessions add constraint sessions_proofs_some CHECK ((cardinality(proofs) > 0));
alter table service.sessions add constraint sessions_token_hash_key UNIQUE (token_hash);
alter table service.sessions add constraint sessions_token_hash_length CHECK ((octet_length(token_hash) = 32));
alter table service.sessions add constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES service.users(id) ON DELETE CASCADE;
CREATE INDEX sessions_expires_at_idx ON service.sessions USING btree (expires_at);
CREATE INDEX sessions_identity_id_idx ON service.sessions USING btree (identity_id) WHERE (identity_id IS NOT NULL);
CREATE INDEX sessions_service_tokens_idx ON service.sessions USING btree (user_id) WHERE (proofs = '{service-token}'::text[]);
CREATE INDEX sessions_user_id_idx ON service.sessions USING btree (user_id);

create table service.stored_objects (
  key text collate "C" not null,
  upload_key text collate "C",
  size bigint,
  unused_since timestamp(3) with time zone,
  is_private boolean default false not null,
  is_moving boolean default false not null
);
alter table service.stored_objects add constraint stored_objects_pkey PRIMARY KEY (key);
alter table service.stored_objects add constraint stored_objects_upload_key_fkey FOREIGN KEY (upload_key) REFERENCES service.uploads(key) ON DELETE SET NULL;
CREATE INDEX stored_objects_unowned_idx ON service.stored_objects USING btree (key) WHERE ((upload_key IS NULL) AND (unused_since IS NULL));
CREATE INDEX stored_objects_unused_since_idx ON service.stored_objects USING btree (unused_since) WHERE (unused_since IS NOT NULL);
CREATE INDEX stored_objects_upload_key_idx ON service.stored_objects USING btree (upload_key);

create table service.tallies (
  table_name text collate "C" not null,
  tally_name text collate "C" not null,
  counts jsonb not null,
  uncounted text[] collate "C" default '{}'::text[] not null
);
alter table service.tallies add constraint tallies_pkey PRIMARY KEY (table_name);
CREATE TRIGGER tally_changes AFTER INSERT ON service.tallies FOR EACH ROW EXECUTE FUNCTION service.follow_new_changes();
CREATE TRIGGER tally_ids AFTER INSERT ON service.tallies FOR EACH ROW EXECUTE FUNCTION service.follow_new_tally();
CREATE TRIGGER tally_owners AFTER DELETE OR UPDATE OF table_name, counts ON service.tallies FOR EACH ROW EXECUTE FUNCTION service.follow_tally();

create table service.trash (
  table_name text collate "C" not null,
  id uuid not null,
  mark uuid not null,
  is_root boolean not null,
  deleted_at timestamp(3) with time zone default now() not null,
  deleted_by uuid,
  image jsonb not null,
  unfit jsonb,
  cleared jsonb,
  parents text[] collate "C",
  files text[] collate "C",
  tx xid8 default pg_current_xact_id() not null,
  key text
);
alter table service.trash add constraint trash_pkey PRIMARY KEY (table_name, id);
CREATE INDEX trash_deleted_at_idx ON service.trash USING btree (table_name, deleted_at DESC, id DESC) WHERE (table_name <> ''::text);
CREATE INDEX trash_files_idx ON service.trash USING gin (files) WHERE (files IS NOT NULL);
CREATE INDEX trash_mark_idx ON service.trash USING btree (mark);
CREATE INDEX trash_parents_idx ON service.trash USING gin (parents) WHERE (parents IS NOT NULL);
CREATE TRIGGER restore_entries AFTER DELETE ON service.trash REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN ((current_setting('service.trash'::text, true) = 'restore'::text)) EXECUTE FUNCTION service.restore_entries();

create table service.uploads (
  key text collate "C" not null,
  resource text collate "C" not null,
  field text collate "C" not null,
  user_id uuid,
  details json not null,
  created_at timestamp(3) with time zone default now() not null,
  unused_since timestamp(3) with time zone default now(),
  profile jsonb,
  sender text collate "C"
);
alter table service.uploads add constraint uploads_pkey PRIMARY KEY (key);
alter table service.uploads add constraint uploads_user_id_fkey FOREIGN KEY (user_id) REFERENCES service.users(id) ON DELETE SET NULL;
CREATE INDEX uploads_unused_since_idx ON service.uploads USING btree (unused_since) WHERE (unused_since IS NOT NULL);
CREATE INDEX uploads_user_id_idx ON service.uploads USING btree (user_id);

create table service.users (
  id uuid not null,
  name text collate "und-x-icu" not null,
  email text collate "C" not null,
  role text collate "C",
  password_hash text collate "C",
  email_verified_at timestamp(3) with time zone,
  avatar text collate "C",
  disabled_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default now() not null,
  updated_at timestamp(3) with time zone default now() not null,
  generation integer default 0 not null,
  invited boolean default false not null
);
alter table service.users add constraint users_email_key UNIQUE (email);
alter table service.users add constraint users_email_length CHECK (((char_length(email) >= 3) AND (char_length(email) <= 254)));
alter table service.users add constraint users_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 255)));
alter table service.users add constraint users_pkey PRIMARY KEY (id);
alter table service.users add constraint users_avatar_fkey FOREIGN KEY (avatar) REFERENCES service.uploads(key);
CREATE INDEX users_avatar_idx ON service.users USING btree (avatar);
CREATE INDEX users_created_at_id_idx ON service.users USING btree (created_at, id);
CREATE TRIGGER "A_trash" AFTER DELETE ON service.users FOR EACH ROW EXECUTE FUNCTION service.empty_trash_of_account();
CREATE CONSTRAINT TRIGGER tally_owners AFTER DELETE ON service.users DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION service.forget_owner();

create table service.views (
  id uuid default service.uuid_v7() not null,
  resource text collate "C" not null,
  name text collate "und-x-icu" not null,
  query text not null,
  by_id uuid,
  created_at timestamp(3) with time zone default now() not null
);
alter table service.views add constraint views_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100)));
alter table service.views add constraint views_pkey PRIMARY KEY (id);
alter table service.views add constraint views_query_length CHECK ((char_length(query) <= 4000));
alter table service.views add constraint views_by_id_fkey FOREIGN KEY (by_id) REFERENCES service.users(id) ON DELETE SET NULL;
CREATE INDEX views_by_id_idx ON service.views USING btree (by_id);
CREATE INDEX views_resource_name_id_idx ON service.views USING btree (resource, name, id);

create table service.webhook_deliveries (
  id uuid not null,
  webhook_id uuid not null,
  seq bigint generated always as identity (minvalue 1 start 1) not null,
  type text collate "C" not null,
  record_id uuid,
  body text not null,
  state text collate "C" default 'waiting'::text not null,
  attempts integer default 0 not null,
  status integer,
  error text,
  next_at timestamp with time zone default now(),
  claim uuid,
  leased_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone default now() not null
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000);
alter table service.webhook_deliveries add constraint webhook_deliveries_pkey PRIMARY KEY (id);
CREATE INDEX webhook_deliveries_created_at_idx ON service.webhook_deliveries USING btree (created_at);
CREATE INDEX webhook_deliveries_due_idx ON service.webhook_deliveries USING btree (webhook_id, next_at) WHERE (state = 'waiting'::text);
CREATE INDEX webhook_deliveries_record_idx ON service.webhook_deliveries USING btree (webhook_id, record_id, seq) WHERE (state = 'waiting'::text);
CREATE INDEX webhook_deliveries_webhook_id_seq_idx ON service.webhook_deliveries USING btree (webhook_id, seq);
CREATE INDEX webhook_deliveries_webhook_id_state_seq_idx ON service.webhook_deliveries USING btree (webhook_id, state, seq);

create table service.webhooks (
  id uuid not null,
  url text not null,
  events text[] collate "C" not null,
  secret bytea not null,
  former_secret bytea,
  former_until timestamp(3) with time zone,
  by_id uuid,
  is_disabled boolean default false not null,
  failing_since timestamp(3) with time zone,
  "position" bigint not null,
  log uuid not null,
  created_at timestamp(3) with time zone default now() not null
);
alter table service.webhooks add constraint webhooks_pkey PRIMARY KEY (id);
alter table service.webhooks add constraint webhooks_by_id_fkey FOREIGN KEY (by_id) REFERENCES service.users(id) ON DELETE SET NULL;
CREATE INDEX webhooks_by_id_idx ON service.webhooks USING btree (by_id);

create table service.word_changes (
  number bigint generated always as identity (minvalue 1 start 1) not null,
  table_name text collate "C" not null,
  link_column text collate "C" not null,
  target text not null,
  indexed text
);
alter table service.word_changes add constraint word_changes_pkey PRIMARY KEY (number);

create table service.word_indexes (
  table_name text collate "C" not null,
  words_name text collate "C" not null,
  definition jsonb not null,
  is_folded boolean not null
);
alter table service.word_indexes add constraint word_indexes_pkey PRIMARY KEY (table_name);

create view service.unkept_tallies as
 SELECT table_name
   FROM service.tallies
  WHERE (( SELECT count(*) AS count
           FROM pg_trigger
          WHERE ((pg_trigger.tgrelid = (to_regclass(service.table_sql(tallies.table_name)))::oid) AND (pg_trigger.tgname = ANY (ARRAY['tally_insert'::name, 'tally_update'::name, 'tally_moves'::name, 'tally_delete'::name, 'tally_truncate'::name])) AND (pg_trigger.tgenabled = ANY (ARRAY['O'::"char", 'A'::"char"])))) <
        CASE counts
            WHEN '{}'::jsonb THEN 3
            ELSE 5
        END);

CREATE OR REPLACE FUNCTION service.claim_jobs(_names text[], _limits integer[], _most integer, _lease double precision, _now timestamp with time zone, _done uuid[], _claims uuid[])
 RETURNS SETOF service.jobs
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET lock_timeout TO '2s'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION service.column_type(table_name text, column_name text, OUT type text, OUT definition text)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
RETURN (SELECT ROW(format_type(pg_attribute.atttypid, pg_attribute.atttypmod), (format_type(pg_attribute.atttypid, pg_attribute.atttypmod) || CASE WHEN (pg_attribute.attcollation = (0)::oid) THEN ''::text ELSE format(' collate %I.%I'::text, pg_namespace.nspname, pg_collation.collname) END)) AS "row" FROM ((pg_attribute LEFT JOIN pg_collation ON ((pg_collation.oid = pg_attribute.attcollation))) LEFT JOIN pg_namespace ON ((pg_namespace.oid = pg_collation.collnamespace))) WHERE ((pg_attribute.attrelid = ((service.table_sql(column_type.table_name))::regclass)::oid) AND (pg_attribute.attname = column_type.column_name)))
;

CREATE OR REPLACE FUNCTION service.computed_day(value date)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((((lpad((EXTRACT(year FROM value))::text, 4, '0'::text) || '-'::text) || lpad((EXTRACT(month FROM value))::text, 2, '0'::text)) || '-'::text) || lpad((EXTRACT(day FROM value))::text, 2, '0'::text))
;

CREATE OR REPLACE FUNCTION service.computed_decimal(value numeric, places integer)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (abs(round(value, places)) < '1000000000000000'::numeric) THEN CASE WHEN (((round(value, places))::double precision)::numeric = round(value, places)) THEN round(value, places) ELSE NULL::numeric END ELSE NULL::numeric END
;

CREATE OR REPLACE FUNCTION service.computed_double(value numeric)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (abs(value) < 0.0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000025) THEN (0)::double precision WHEN (abs(value) <= '179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric) THEN (value)::double precision ELSE NULL::double precision END
;

CREATE OR REPLACE FUNCTION service.computed_integer(value numeric)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (abs(round(value)) <= ('9007199254740991'::bigint)::numeric) THEN (round(value))::bigint ELSE NULL::bigint END
;

CREATE OR REPLACE FUNCTION service.computed_position(value numeric)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (abs(value) <= (2147483647)::numeric) THEN CASE WHEN (value = trunc(value)) THEN (value)::integer ELSE NULL::integer END ELSE NULL::integer END
;

CREATE OR REPLACE FUNCTION service.computed_text(value text, longest integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ((length(value) >= 1) AND (length(value) <= longest)) THEN value ELSE NULL::text END
;

CREATE OR REPLACE FUNCTION service.delete_joint_entries()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  execute format(
    'delete from public.%I as entry
     where target_id = $1 and not exists (select from public.%I as own where own.id = entry.record_id)',
    tg_argv[0], tg_argv[1]
  )
  using old.id;
  return null;
end
$function$
;
revoke execute on function service.delete_joint_entries() from public;

CREATE OR REPLACE FUNCTION service.elements_of(list jsonb)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin
  if jsonb_typeof(list) = 'array' then
    return array(select jsonb_array_elements_text(list));
  end if;
  return case when jsonb_typeof(list) = 'null' then null else array[list #>> '{}'] end;
end
$function$
;

CREATE OR REPLACE FUNCTION service.empty_trash(_rows text[], _apart uuid DEFAULT NULL::uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  emptied integer;
begin
  with recursive lost (key) as (
    select unnest(_rows) collate "C"
    union
    select (trash.table_name || '/' || trash.id) collate "C"
    from lost
    join service.trash on trash.parents @> array[lost.key] and (_apart is null or trash.mark <> _apart)
  ),
  deleted as (
    delete from service.trash
    using (select left(key, -37) as table_name, right(key, 36)::uuid as id from lost) as lost
    where trash.table_name = lost.table_name and trash.id = lost.id
    returning trash.table_name, trash.id, trash.key
  ),
  logged as (
    insert into service.changes_new (resource, op, id, key, account)
    select
      split_part(encode(tgargs, 'escape'), '\000', 1), 'purge', id, key,
      case when key is null then service.writing_account(id) else service.writing_account_of(key) end
    from deleted
    join pg_trigger on tgrelid = to_regclass(service.table_sql(table_name)) and tgname = 'change_log'
  )
  select count(*) into emptied from deleted;
  return emptied;
end
$function$
;
revoke execute on function service.empty_trash(text[],uuid) from public;

CREATE OR REPLACE FUNCTION service.empty_trash_of_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  perform set_config('service.trash_of_accounts', 'true', true);
  perform service.empty_trash(array['users/' || old.id]);
  return null;
end
$function$
;
revoke execute on function service.empty_trash_of_account() from public;

CREATE OR REPLACE FUNCTION service.entries_function(entries text, what text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN ((octet_length(entries) + octet_length(what)) <= 61) THEN ((entries || '__'::text) || what) ELSE ((what || '_'::text) || md5(entries)) END
;

CREATE OR REPLACE FUNCTION service.estimated_matches(words regclass, query tsquery)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  plan json;
begin
  execute format('explain (format json) select from %s where vector @@ %L::tsquery', words, query) into plan;
  return plan -> 0 -> 'Plan' ->> 'Plan Rows';
end
$function$
;

CREATE OR REPLACE FUNCTION service.expire_marks(_marks uuid[], _begun uuid, _most integer, OUT deleted integer, OUT unfinished uuid)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  present uuid;
begin
  if not pg_try_advisory_xact_lock(7364057) then
    return;
  end if;
  deleted := 0;
  foreach present in array _marks loop
    if present is distinct from _begun then
      -- Waits for a restore of these records, after which they are no longer there.
      perform from service.trash where mark = present order by table_name, id for update;
    end if;
    deleted := deleted + coalesce(
      (
        select service.empty_trash(array_agg(key), present)
        from (
          select table_name || '/' || id as key
          from service.trash
          where mark = present
          order by is_root
          limit _most - deleted
        ) as rows
      ),
      0
    );
    if deleted >= _most then
      select mark into unfinished from service.trash where mark = present limit 1;
      return;
    end if;
  end loop;
end
$function$
;

CREATE OR REPLACE FUNCTION service.expired_marks(_days jsonb, _skipped uuid[], _most integer)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT old.mark
    FROM (jsonb_each_text(expired_marks._days) setting(table_name, days)
      CROSS JOIN LATERAL ( SELECT trash.mark
            FROM service.trash
           WHERE ((trash.table_name = setting.table_name) AND (trash.table_name <> ''::text) AND (trash.deleted_at < (now() - make_interval(days => (setting.days)::integer))) AND trash.is_root AND (trash.mark <> ALL (expired_marks._skipped)))
           ORDER BY trash.deleted_at
          LIMIT expired_marks._most) old)
  LIMIT expired_marks._most;
END
;

CREATE OR REPLACE FUNCTION service.first_argument(arguments bytea)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN convert_from(SUBSTRING(arguments FROM 1 FOR (POSITION(('\x00'::bytea) IN (arguments)) - 1)), 'UTF8'::name)
;

CREATE OR REPLACE FUNCTION service.fold_case(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (to_ascii(value, 8) = (value COLLATE "C")) THEN (lower((value COLLATE "C")) COLLATE "und-x-icu") ELSE translate(lower((value COLLATE "und-x-icu")), 'ς'::text, 'σ'::text) END
;

CREATE OR REPLACE FUNCTION service.fold_letters(value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT COST 1
AS $function$
begin
  return
    pg_catalog.replace(pg_catalog.replace(pg_catalog.replace(
    pg_catalog.replace(pg_catalog.replace(pg_catalog.replace(
    pg_catalog.replace(pg_catalog.replace(pg_catalog.replace(
    pg_catalog.replace(pg_catalog.replace(pg_catalog.replace(
      pg_catalog.regexp_replace(
        pg_catalog.lower(normalize(value, nfd) collate pg_catalog."und-x-icu"),
        '[\u0300-\u0305\u0307-\u036F]+', '', 'g'
      ),
      U&'\0438\0306', 'й'), U&'\0306', ''), 'ς', 'σ'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
      'ø', 'o'), 'ł', 'l'), 'đ', 'd'),
      'ð', 'd'), 'þ', 'th'), 'ı', 'i');
end
$function$
;

CREATE OR REPLACE FUNCTION service.fold_text(list text[])
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN service.fold_text(array_to_string(list, ''::text))
;

CREATE OR REPLACE FUNCTION service.fold_text(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (to_ascii(value, 8) = (value COLLATE "C")) THEN (lower((value COLLATE "C")) COLLATE "und-x-icu") ELSE (service.fold_letters(value) COLLATE "und-x-icu") END
;

CREATE OR REPLACE FUNCTION service.follow_new_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('service.adopts', true) is distinct from 'on' then
    call service.follow_changes(new.table_name);
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION service.follow_new_tally()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('service.adopts', true) is distinct from 'on' then
    call service.give_id_default(new.table_name);
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION service.follow_tally()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    delete from service.owner_counts where table_name = old.table_name;
    return null;
  end if;
  if new.table_name <> old.table_name then
    update service.owner_counts set table_name = new.table_name where table_name = old.table_name;
  end if;
  if old.counts ? 'owner' and (
    not new.counts ? 'owner'
    or (new.counts -> 'owner' <> old.counts -> 'owner' and 'owner' = any (new.uncounted))
  ) then
    delete from service.owner_counts where table_name = new.table_name;
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION service.forget_changes(_days integer, _histories jsonb, _most integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  counter service.change_counter;
  history service.change_histories;
  upto bigint;
  has_moved boolean := false;
begin
  if not pg_try_advisory_xact_lock(7364038) then
    return false;
  end if;
  select * into strict counter from service.change_counter;
  insert into service.change_histories (resource, kept_after)
  select name, counter.kept_after from jsonb_object_keys(_histories) as name
  on conflict do nothing;

  for history in select * from service.change_histories loop
    upto := service.old_changes(
      history.kept_after, coalesce((_histories ->> history.resource)::integer, _days), _most
    );
    if upto > history.kept_after then
      delete from service.changes
      where n > history.kept_after and n <= upto and resource = history.resource;
      update service.change_histories set kept_after = upto where resource = history.resource;
      has_moved := true;
    elsif not _histories ? history.resource and history.kept_after >= counter.kept_after then
      delete from service.change_histories where resource = history.resource;
    end if;
  end loop;

  -- Last, because the sequencer waits for the counter's row.
  upto := service.old_changes(counter.kept_after, _days, _most);
  if upto > counter.kept_after then
    delete from service.changes
    where n > counter.kept_after
      and n <= upto
      and resource not in (select one.resource from service.change_histories as one);
    update service.change_counter set kept_after = upto;
    has_moved := true;
  end if;
  return has_moved;
end
$function$
;

CREATE OR REPLACE FUNCTION service.forget_owner()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  delete from service.owner_counts
  where owner = old.id
    and table_name in (select table_name from service.tallies where uncounted = '{}');
  return null;
end
$function$
;
revoke execute on function service.forget_owner() from public;

CREATE OR REPLACE FUNCTION service.has_keyed_trash(relation oid, key smallint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT (EXISTS ( SELECT
            FROM (pg_trigger
              JOIN pg_attribute ON (((pg_attribute.attrelid = pg_trigger.tgrelid) AND (pg_attribute.attnum = has_keyed_trash.key))))
           WHERE ((pg_trigger.tgrelid = has_keyed_trash.relation) AND (pg_trigger.tgfoid = ('service.keep_keyed()'::regprocedure)::oid) AND (service.second_argument(pg_trigger.tgargs) = pg_attribute.attname)))) AS "exists";
END
;

CREATE OR REPLACE FUNCTION service.has_lengths(list text[], shortest integer, longest integer)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  element text;
begin
  foreach element in array list loop
    if char_length(element) not between shortest and longest then
      return false;
    end if;
  end loop;
  return true;
end
$function$
;

CREATE OR REPLACE FUNCTION service.has_trash(table_name text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT (EXISTS ( SELECT
            FROM pg_trigger
           WHERE ((pg_trigger.tgrelid = (to_regclass(service.table_sql(has_trash.table_name)))::oid) AND (pg_trigger.tgname = 'A_trash'::name)))) AS "exists";
END
;

CREATE OR REPLACE FUNCTION service.id_of_key(key text)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (substr(encode(sha256(convert_to(key, 'UTF8'::name)), 'hex'::text), 1, 32))::uuid
;

CREATE OR REPLACE FUNCTION service.index_changed(_most integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  change service.word_changes;
  ids text[];
begin
  if not pg_try_advisory_xact_lock(7364060) then
    return false;
  end if;
  select * into change from service.word_changes order by number limit 1;
  if not found then
    return false;
  end if;
  execute format(
    'select array_agg(id order by id) from (
       select id from (%s) as linking where $2 is null or id > $2::%s order by id limit $3
     ) as found',
    service.linking_rows(change.table_name, change.link_column),
    (select id_type from service.words_key(change.table_name))
  )
  into ids
  using change.target, change.indexed, _most;
  if ids is not null then
    perform service.index_words(change.table_name, ids);
  end if;
  if coalesce(cardinality(ids), 0) < _most then
    delete from service.word_changes where number = change.number;
  else
    update service.word_changes set indexed = ids[cardinality(ids)] where number = change.number;
  end if;
  return true;
end
$function$
;

CREATE OR REPLACE FUNCTION service.index_linking()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  changed text;
  ids text[];
begin
  if tg_nargs > 2 then
    changed := to_jsonb(new) ->> tg_argv[2];
  else
    changed := new.id;
  end if;
  insert into service.word_changes (table_name, link_column, target) values (tg_argv[0], tg_argv[1], changed);
  execute format(
    'select array_agg(id order by id) from (select id from (%s) as linking limit 1001) as found',
    service.linking_rows(tg_argv[0], tg_argv[1])
  )
  into ids
  using changed;
  if cardinality(ids) <= 1000 then
    perform service.index_words(tg_argv[0], ids);
  end if;
  return null;
end
$function$
;
revoke execute on function service.index_linking() from public;

CREATE OR REPLACE FUNCTION service.index_next_words(_table_name text, _after text, _most integer)
 RETURNS text[]
 LANGUAGE plpgsql
AS $function$
declare
  ids text[];
begin
  execute (
    select format(
      'select array_agg(%1$I order by %1$I) from (
         select %1$I from %2$s where $1 is null or %1$I > $1::%3$s order by %1$I limit $2
       ) as rows',
      id_column, service.table_sql(_table_name), id_type
    )
    from service.words_key(_table_name)
  )
  into ids
  using _after, _most;
  if ids is not null then
    perform service.index_words(_table_name, ids);
  end if;
  return coalesce(ids, '{}');
end
$function$
;

CREATE OR REPLACE FUNCTION service.index_words(_table_name text, _ids text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  name text;
begin
  select words_name into strict name from service.word_indexes where table_name = _table_name;
  execute format('select service.%I($1)', name) using _ids;
end
$function$
;

CREATE OR REPLACE FUNCTION service.is_distinct(list anyarray)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin
  return cardinality(list) < 2 or (select count(distinct element) = cardinality(list) from unnest(list) as element);
end
$function$
;

CREATE OR REPLACE FUNCTION service.is_list(list anyarray, fewest integer, most integer)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(array_ndims(list), 1) = 1
    and array_position(list, null) is null
    and cardinality(list) between fewest and most
$function$
;

CREATE OR REPLACE FUNCTION service.is_worn(tally_name text, counts jsonb)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN (((SELECT max(pg_attribute.attnum) AS max FROM pg_attribute WHERE (pg_attribute.attrelid = ((format('service.%I'::text, is_worn.tally_name))::regclass)::oid)) + (SELECT count(*) AS count FROM jsonb_object_keys(is_worn.counts) name(name) WHERE (NOT (EXISTS (SELECT FROM pg_attribute WHERE ((pg_attribute.attrelid = ((format('service.%I'::text, is_worn.tally_name))::regclass)::oid) AND (pg_attribute.attname = name.name))))))) > 1200)
;

CREATE OR REPLACE FUNCTION service.iso_time(value timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN CASE WHEN ((value >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (value < '10000-01-01 00:00:00+00'::timestamp with time zone)) THEN (substr((to_json((date_trunc('milliseconds'::text, (value AT TIME ZONE '00:00:00'::interval)) + '00:00:00.0001'::interval)))::text, 2, 23) || 'Z'::text) ELSE (to_json(value) #>> '{}'::text[]) END
;

CREATE OR REPLACE FUNCTION service.joint_deletes_trigger(entries text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN ('B_'::text || CASE WHEN (octet_length(entries) <= 61) THEN entries ELSE md5(entries) END)
;

CREATE OR REPLACE FUNCTION service.keep_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
declare
  own_name text := case tg_table_schema when 'public' then tg_table_name else tg_table_schema || '.' || tg_table_name end;
  is_skipped boolean := current_setting('service.trash', true) = 'skip';
  written text := current_setting('service.account', true);
  writer record;
  links text[];
  types oid[];
  targets text[];
  relations oid[];
  keys text[];
  files text[];
  clearing text;
  cleared jsonb;
  lost uuid[];
begin
  if old.id <> (select id from old_rows limit 1) then
    return null;
  end if;
  writer := service.writer_of(written, old.id);
  if is_skipped then
    perform service.empty_trash(array_agg(own_name || '/' || id)) from old_rows;
  elsif not exists (select from old_rows offset 1) then
    if not service.keep_deleted_row(tg_relid, own_name, to_jsonb(old), writer.account) then
      lost := array[old.id];
    end if;
  else
    select
      array_agg(attname order by attname) filter (where conrelid = tg_relid and confdeltype = 'c'),
      array_agg(atttypid order by attname) filter (where conrelid = tg_relid and confdeltype = 'c'),
      array_agg(table_name order by attname) filter (where conrelid = tg_relid and confdeltype = 'c'),
      array_agg(confrelid order by attname) filter (where conrelid = tg_relid and confdeltype = 'c'),
      array_agg(named.key order by attname) filter (where conrelid = tg_relid and confdeltype = 'c'),
      array_agg(attname order by attname) filter (where confrelid = 'service.uploads'::regclass),
      string_agg(
        format(
          'select %1$L as table_name, %2$L as name, %2$I as target, jsonb_agg(%4$s order by %5$I) as ids, %6$L as key
           from %3$s
           where %2$I = any ($1)
           group by %2$I',
          table_name, attname, service.table_sql(table_name),
          case when named.key = 'id' then 'id' else format('%I::text', named.key) end, named.key,
          nullif(named.key, 'id')
        ),
        ' union all ' order by table_name, attname
      ) filter (where tgfoid = '"RI_FKey_setnull_del"'::regproc)
    into links, types, targets, relations, keys, files, clearing
    from pg_trigger
    join pg_constraint on pg_constraint.oid = tgconstraint
    join pg_class on pg_class.oid = tgconstrrelid
    cross join lateral (
      select case
        when relnamespace in ('public'::regnamespace, 'service'::regnamespace) then relname
        else service.table_name(tgconstrrelid)
      end as table_name,
      service.row_key(tgconstrrelid) as key
      offset 0
    ) as named
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where tgrelid = tg_relid
      and case tgfoid
        when '"RI_FKey_check_ins"'::regproc
        then confrelid = 'service.uploads'::regclass
          or confdeltype = 'c'
            and atttypid = 'uuid'::regtype
            and (
              relnamespace in ('public'::regnamespace, 'service'::regnamespace)
              or exists (select from service.tallies where tallies.table_name = named.table_name)
            )
          or confdeltype = 'c' and atttypid <> 'uuid'::regtype and service.has_keyed_trash(confrelid, confkey[1])
        when '"RI_FKey_setnull_del"'::regproc
        then relnamespace <> 'service'::regnamespace
          and exists (select from service.tallies where tallies.table_name = named.table_name)
      end;

    -- Rows that belong to an account, or to a record deleted with one.
    if links is not null and current_setting('service.trash_of_accounts', true) = 'true' then
      for at in 1..cardinality(links) loop
        execute format(
          'select $1 || array(
             select id
             from old_rows
             where %1$I is not null
               and not exists (select from %2$s as target where target.%4$I = old_rows.%1$I)
               and not exists (
                 select
                 from service.trash
                 where table_name = %3$L
                   and trash.id = service.kept_id(old_rows.%1$I::text, %5$s::oid)
                   and tx = pg_current_xact_id()
               )
           )',
          links[at], relations[at]::regclass, targets[at], keys[at], types[at]
        )
        into lost
        using lost;
      end loop;
      perform service.empty_trash(array_agg(own_name || '/' || id)) from unnest(lost) as id;
    end if;

    if clearing is not null then
      execute format(
        'select jsonb_object_agg(target, links)
         from (
           select target, jsonb_agg(
             jsonb_build_object(''table'', table_name, ''column'', name, ''ids'', ids)
               || case when key is null then ''{}'' else jsonb_build_object(''key'', key) end
             order by table_name, name
           ) as links
           from (%s) as link
           group by target
         ) as cleared',
        clearing
      )
      into cleared
      using array(select id from old_rows);
    end if;

    insert into service.trash
      (table_name, id, mark, is_root, deleted_by, image, cleared, parents, files)
    select
      own_name, deleted.id, coalesce(parent.mark, gen_random_uuid()), parent.mark is null,
      case when left(written, 1) = '{' then service.writing_account(deleted.id) else writer.account end,
      deleted.image, cleared -> deleted.id::text, parent.keys,
      (
        select array_agg(deleted.image ->> name)
        from unnest(files) as name
        where deleted.image ->> name is not null
      )
    from (select old_rows.id, to_jsonb(old_rows) as image from old_rows offset 0) as deleted
    cross join lateral (
      select
        array_agg(link.target || '/' || link.kept) as keys,
        (array_agg(link.mark) filter (where link.mark is not null))[1] as mark
      from (
        select target, service.kept_id(deleted.image ->> name, type) as kept, (
          select trash.mark
          from service.trash
          where trash.table_name = target
            and trash.id = service.kept_id(deleted.image ->> name, type)
            and trash.tx = pg_current_xact_id()
        ) as mark
        from unnest(links, targets, types) as one (name, target, type)
        where deleted.image ->> name is not null
        offset 0
      ) as link
    ) as parent
    where not exists (select from unnest(lost) as one (id) where one.id = deleted.id)
    -- SQL may have inserted a row with the id of a deleted one.
    on conflict (table_name, id) do update
    set mark = excluded.mark,
        is_root = excluded.is_root,
        deleted_at = excluded.deleted_at,
        deleted_by = excluded.deleted_by,
        image = excluded.image,
        unfit = null,
        cleared = excluded.cleared,
        parents = excluded.parents,
        files = excluded.files,
        tx = excluded.tx;
  end if;

  if tg_nargs > 0 then
    insert into service.changes_new (resource, op, id, account, token, job, before)
    select
      tg_argv[0],
      case when is_skipped or old_rows.id in (select unnest(lost)) then 'delete' else 'trash' end,
      old_rows.id,
      coalesce(own.account, writer.account),
      coalesce(own.token, writer.token),
      coalesce(own.job, writer.job),
      to_jsonb(old_rows)
    from old_rows
    left join lateral service.writer_of(written, old_rows.id) as own on left(written, 1) = '{';
  end if;
  return null;
end
$function$
;
revoke execute on function service.keep_deleted() from public;

CREATE OR REPLACE FUNCTION service.keep_deleted_entries()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  own text;
  target text;
begin
  select
    max(service.table_name(confrelid)) filter (where attname = 'record_id'),
    max(service.table_name(confrelid)) filter (where attname = 'target_id')
  into own, target
  from pg_constraint
  join pg_attribute on attrelid = conrelid and attnum = conkey[1]
  where conrelid = tg_relid and contype = 'f';
  update service.trash
  set cleared = coalesce(cleared, '[]') || jsonb_build_object(
    'table', own, 'column', tg_argv[0], 'ids', lost.ids, 'positions', lost.positions
  )
  from (
    select target_id, jsonb_agg(record_id order by record_id) as ids, jsonb_agg(position order by record_id) as positions
    from old_rows
    group by target_id
  ) as lost
  where trash.table_name = target and trash.id = lost.target_id and trash.tx = pg_current_xact_id();
  return null;
end
$function$
;
revoke execute on function service.keep_deleted_entries() from public;

CREATE OR REPLACE FUNCTION service.keep_deleted_files()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  own text;
begin
  select relname into own
  from pg_constraint
  join pg_attribute on attrelid = conrelid and attnum = conkey[1] and attname = 'record_id'
  join pg_class on pg_class.oid = confrelid
  where conrelid = tg_relid and contype = 'f';
  update service.trash
  set files = coalesce(files, '{}') || lost.keys
  from (select record_id, array_agg(target_id) as keys from old_rows group by record_id) as lost
  where trash.table_name = own and trash.id = lost.record_id and trash.tx = pg_current_xact_id();
  return null;
end
$function$
;
revoke execute on function service.keep_deleted_files() from public;

CREATE OR REPLACE FUNCTION service.keep_deleted_row(_relation oid, _table text, _image jsonb, _account uuid)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  _id uuid := _image ->> 'id';
  is_with_account boolean := coalesce(current_setting('service.trash_of_accounts', true) = 'true', false);
  link record;
  value text;
  kept uuid;
  parents text[];
  files text[];
  mark uuid;
  marked uuid;
  is_there boolean;
  clearing text;
  cleared jsonb;
begin
  for link in
    select attname as name, atttypid as type, confrelid as relation, confkey[1] as key,
      case
        when target.relnamespace in ('public'::regnamespace, 'service'::regnamespace) then target.relname
        else service.table_name(confrelid)
      end as target,
      confrelid = 'service.uploads'::regclass as is_file
    from pg_constraint
    join pg_class as target on target.oid = confrelid
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where conrelid = _relation
      and contype = 'f'
      and (
        confrelid = 'service.uploads'::regclass
        or confdeltype = 'c'
          and atttypid = 'uuid'::regtype
          and (
            target.relnamespace in ('public'::regnamespace, 'service'::regnamespace)
            or exists (select from service.tallies where tallies.table_name = service.table_name(confrelid))
          )
        or confdeltype = 'c' and atttypid <> 'uuid'::regtype and service.has_keyed_trash(confrelid, confkey[1])
      )
    order by attname
  loop
    value := _image ->> link.name;
    if value is null then
      continue;
    end if;
    if link.is_file then
      files := files || value;
      continue;
    end if;
    kept := service.kept_id(value, link.type);
    parents := parents || (link.target || '/' || kept);
    select trash.mark into marked
    from service.trash
    where trash.table_name = link.target and trash.id = kept and trash.tx = pg_current_xact_id();
    mark := coalesce(mark, marked);
    if marked is null and is_with_account then
      execute format(
        'select exists (select from %s where %I = $1::%s)', link.relation::regclass,
        (select attname from pg_attribute where attrelid = link.relation and attnum = link.key),
        format_type(link.type, null)
      )
      into is_there
      using value;
      if not is_there then
        perform service.empty_trash(array[_table || '/' || _id]);
        return false;
      end if;
    end if;
  end loop;

  select string_agg(
    format(
      'select jsonb_build_object(''table'', %1$L, ''column'', %2$L, ''ids'', jsonb_agg(%4$s order by %5$I))%6$s
       from %3$s where %2$I = $1 having count(*) > 0',
      table_name, pg_attribute.attname, service.table_sql(table_name),
      case when id.attnum is null then format('%I::text', named.key) else 'id' end, named.key,
      case when id.attnum is null then format(' || jsonb_build_object(''key'', %L)', named.key) end
    ),
    ' union all ' order by table_name, pg_attribute.attname
  )
  into clearing
  from pg_trigger
  join pg_constraint on pg_constraint.oid = tgconstraint
  join pg_class on pg_class.oid = conrelid
  left join pg_attribute as id on id.attrelid = conrelid and id.attname = 'id' and id.atttypid = 'uuid'::regtype
  cross join lateral (
    select
      case relnamespace when 'public'::regnamespace then relname else service.table_name(conrelid) end as table_name,
      case when id.attnum is null then service.row_key(conrelid) else 'id' end as key
    offset 0
  ) as named
  join pg_attribute on pg_attribute.attrelid = conrelid and pg_attribute.attnum = conkey[1]
  where tgrelid = _relation
    and tgfoid = '"RI_FKey_setnull_del"'::regproc
    and relnamespace <> 'service'::regnamespace
    and exists (select from service.tallies where tallies.table_name = named.table_name);
  if clearing is not null then
    execute format('select jsonb_agg(link) from (%s) as one (link)', clearing) into cleared using _id;
  end if;

  insert into service.trash
    (table_name, id, mark, is_root, deleted_by, image, cleared, parents, files)
  values (_table, _id, coalesce(mark, gen_random_uuid()), mark is null, _account, _image, cleared, parents, files)
  -- SQL may have inserted a row with the id of a deleted one.
  on conflict (table_name, id) do update
  set mark = excluded.mark,
      is_root = excluded.is_root,
      deleted_at = excluded.deleted_at,
      deleted_by = excluded.deleted_by,
      image = excluded.image,
      unfit = null,
      cleared = excluded.cleared,
      parents = excluded.parents,
      files = excluded.files,
      tx = excluded.tx;
  return true;
end
$function$
;

CREATE OR REPLACE FUNCTION service.keep_keyed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
declare
  own_name constant text := service.table_name(tg_relid);
  own_type constant oid := case tg_argv[2]
    when 'uuid' then 'uuid'::regtype when 'character' then 'bpchar'::regtype else 'text'::regtype
  end;
  is_skipped boolean := current_setting('service.trash', true) = 'skip';
  written text := current_setting('service.account', true);
  links text[];
  types oid[];
  targets text[];
  relations oid[];
  keys text[];
  files text[];
  clearing text;
  cleared jsonb;
  lost uuid[];
begin
  if to_jsonb(old) -> tg_argv[1] <> (select to_jsonb(old_rows) -> tg_argv[1] from old_rows limit 1) then
    return null;
  end if;
  if is_skipped then
    perform service.empty_trash(array_agg(
      own_name || '/' || service.kept_id(to_jsonb(old_rows) ->> tg_argv[1], own_type)
    ))
    from old_rows;
  else
    select
      array_agg(attname order by attname) filter (where conrelid = tg_relid and confdeltype = 'c'),
      array_agg(atttypid order by attname) filter (where conrelid = tg_relid and confdeltype = 'c'),
      array_agg(named.table_name order by attname) filter (where conrelid = tg_relid and confdeltype = 'c'),
      array_agg(confrelid order by attname) filter (where conrelid = tg_relid and confdeltype = 'c'),
      array_agg(named.key order by attname) filter (where conrelid = tg_relid and confdeltype = 'c'),
      array_agg(attname order by attname) filter (where confrelid = 'service.uploads'::regclass),
      string_agg(
        format(
          'select %1$L as table_name, %2$L as name, %2$I::text as target, jsonb_agg(%4$I::text order by %4$I) as ids,
             nullif(%4$L, ''id'') as key
           from %3$s
           where %2$I = any ($1::%5$s[])
           group by %2$I',
          named.table_name, attname, service.table_sql(named.table_name), named.key, format_type(atttypid, null)
        ),
        ' union all ' order by named.table_name, attname
      ) filter (where tgfoid = '"RI_FKey_setnull_del"'::regproc)
    into links, types, targets, relations, keys, files, clearing
    from pg_trigger
    join pg_constraint on pg_constraint.oid = tgconstraint
    join pg_class on pg_class.oid = tgconstrrelid
    cross join lateral (
      select service.table_name(tgconstrrelid) as table_name, service.row_key(tgconstrrelid) as key offset 0
    ) as named
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where tgrelid = tg_relid
      and case tgfoid
        when '"RI_FKey_check_ins"'::regproc
        then confrelid = 'service.uploads'::regclass
          or confdeltype = 'c'
            and case atttypid
              when 'uuid'::regtype
              then relnamespace in ('public'::regnamespace, 'service'::regnamespace)
                or exists (select from service.tallies where tallies.table_name = named.table_name)
              else service.has_keyed_trash(confrelid, confkey[1])
            end
        when '"RI_FKey_setnull_del"'::regproc
        then relnamespace <> 'service'::regnamespace
          and exists (select from service.tallies where tallies.table_name = named.table_name)
      end;

    -- Rows that belong to an account, or to a record deleted with one.
    if links is not null and current_setting('service.trash_of_accounts', true) = 'true' then
      for at in 1..cardinality(links) loop
        execute format(
          'select $1 || array(
             select service.kept_id(to_jsonb(old_rows) ->> $2, $3)
             from old_rows
             where %1$I is not null
               and not exists (select from %2$s as target where target.%4$I = old_rows.%1$I)
               and not exists (
                 select
                 from service.trash
                 where table_name = %3$L
                   and trash.id = service.kept_id(old_rows.%1$I::text, %5$s::oid)
                   and tx = pg_current_xact_id()
               )
           )',
          links[at], relations[at]::regclass, targets[at], keys[at], types[at]
        )
        into lost
        using lost, tg_argv[1], own_type;
      end loop;
      perform service.empty_trash(array_agg(own_name || '/' || id)) from unnest(lost) as id;
    end if;

    if clearing is not null then
      execute format(
        'select jsonb_object_agg(target, links)
         from (
           select target, jsonb_agg(
             jsonb_build_object(''table'', table_name, ''column'', name, ''ids'', ids)
               || case when key is null then ''{}'' else jsonb_build_object(''key'', key) end
             order by table_name, name
           ) as links
           from (%s) as link
           group by target
         ) as cleared',
        clearing
      )
      into cleared
      using array(select to_jsonb(old_rows) ->> tg_argv[1] from old_rows);
    end if;

    insert into service.trash
      (table_name, id, key, mark, is_root, deleted_by, image, cleared, parents, files)
    select
      own_name, deleted.id, deleted.key, coalesce(parent.mark, gen_random_uuid()), parent.mark is null,
      service.writing_account_of(deleted.shown), deleted.image, cleared -> deleted.shown, parent.keys,
      (
        select array_agg(deleted.image ->> name)
        from unnest(files) as name
        where deleted.image ->> name is not null
      )
    from (
      select service.kept_id(shown, own_type) as id, case when own_type <> 'uuid'::regtype then shown end as key, shown, image
      from (
        select image, case own_type when 'bpchar'::regtype then rtrim(image ->> tg_argv[1], ' ') else image ->> tg_argv[1] end as shown
        from (select to_jsonb(old_rows) as image from old_rows offset 0) as own
        offset 0
      ) as named
      offset 0
    ) as deleted
    cross join lateral (
      select
        array_agg(link.target || '/' || link.kept) as keys,
        (array_agg(link.mark) filter (where link.mark is not null))[1] as mark
      from (
        select target, service.kept_id(deleted.image ->> name, type) as kept, (
          select trash.mark
          from service.trash
          where trash.table_name = target
            and trash.id = service.kept_id(deleted.image ->> name, type)
            and trash.tx = pg_current_xact_id()
        ) as mark
        from unnest(links, targets, types) as one (name, target, type)
        where deleted.image ->> name is not null
        offset 0
      ) as link
    ) as parent
    where not exists (select from unnest(lost) as one (id) where one.id = deleted.id)
    on conflict (table_name, id) do update
    set key = excluded.key,
        mark = excluded.mark,
        is_root = excluded.is_root,
        deleted_at = excluded.deleted_at,
        deleted_by = excluded.deleted_by,
        image = excluded.image,
        unfit = null,
        cleared = excluded.cleared,
        parents = excluded.parents,
        files = excluded.files,
        tx = excluded.tx;
  end if;

  if tg_argv[0] <> '' then
    insert into service.changes_new (resource, op, id, key, account, token, job, before)
    select
      tg_argv[0],
      case when is_skipped or deleted.id in (select unnest(lost)) then 'delete' else 'trash' end,
      deleted.id,
      case when own_type <> 'uuid'::regtype then shown end,
      own.account, own.token, own.job, image
    from (
      select image, shown, service.kept_id(shown, own_type) as id
      from (
        select image, case own_type when 'bpchar'::regtype then rtrim(image ->> tg_argv[1], ' ') else image ->> tg_argv[1] end as shown
        from (select to_jsonb(old_rows) as image from old_rows offset 0) as own
        offset 0
      ) as named
      offset 0
    ) as deleted
    cross join lateral service.writer_of(service.written_for(written, shown), null) as own;
  end if;
  return null;
end
$function$
;
revoke execute on function service.keep_keyed() from public;

CREATE OR REPLACE FUNCTION service.kept_id(value text, type oid)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE type WHEN 'uuid'::regtype THEN (value)::uuid WHEN 'character'::regtype THEN service.id_of_key(rtrim(value, ' '::text)) ELSE service.id_of_key(value) END
;

CREATE OR REPLACE FUNCTION service.key_kind(table_name text, column_name text)
 RETURNS text
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT
         CASE pg_attribute.atttypid
             WHEN 'uuid'::regtype THEN 'uuid'::text
             WHEN 'character'::regtype THEN 'character'::text
             ELSE 'key'::text
         END AS "case"
    FROM pg_attribute
   WHERE ((pg_attribute.attrelid = (to_regclass(service.table_sql(key_kind.table_name)))::oid) AND (pg_attribute.attname = key_kind.column_name));
END
;

CREATE OR REPLACE FUNCTION service.linking_rows(_table_name text, _link_column text)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN COALESCE((SELECT format('select record_id as id from public.%I where target_id = $1::uuid'::text, ((field.value -> 'link'::text) ->> 'entries'::text)) AS format FROM (service.word_indexes CROSS JOIN LATERAL jsonb_array_elements((word_indexes.definition -> 'fields'::text)) field(value)) WHERE ((word_indexes.table_name = linking_rows._table_name) AND (((field.value -> 'link'::text) ->> 'column'::text) = linking_rows._link_column) AND (((field.value -> 'link'::text) ->> 'entries'::text) IS NOT NULL)) LIMIT 1), (SELECT format('select %I as id from %s where %I = $1::%s'::text, words_key.id_column, service.table_sql(linking_rows._table_name), linking_rows._link_column, (service.column_type(linking_rows._table_name, linking_rows._link_column)).type) AS format FROM service.words_key(linking_rows._table_name) words_key(id_column, id_type)))
;

CREATE OR REPLACE FUNCTION service.lists_of(table_name text)
 RETURNS TABLE(entries regclass, own text, name text, target text)
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 SELECT (pg_trigger.tgrelid)::regclass AS tgrelid,
     own.relname,
     service.first_argument(pg_trigger.tgargs) AS first_argument,
     service.table_name(target.oid) AS table_name
    FROM ((((((pg_trigger
      JOIN pg_attribute record_id ON (((record_id.attrelid = pg_trigger.tgrelid) AND (record_id.attname = 'record_id'::name))))
      JOIN pg_constraint of_record ON (((of_record.conrelid = pg_trigger.tgrelid) AND (of_record.contype = 'f'::"char") AND (of_record.conkey = ARRAY[record_id.attnum]))))
      JOIN pg_class own ON ((own.oid = of_record.confrelid)))
      JOIN pg_attribute target_id ON (((target_id.attrelid = pg_trigger.tgrelid) AND (target_id.attname = 'target_id'::name))))
      JOIN pg_constraint of_target ON (((of_target.conrelid = pg_trigger.tgrelid) AND (of_target.contype = 'f'::"char") AND (of_target.conkey = ARRAY[target_id.attnum]))))
      JOIN pg_class target ON ((target.oid = of_target.confrelid)))
   WHERE ((pg_trigger.tgname = 'entries_trash'::name) AND (((to_regclass(service.table_sql(lists_of.table_name)))::oid = own.oid) OR ((to_regclass(service.table_sql(lists_of.table_name)))::oid = target.oid)));
END
;

CREATE OR REPLACE FUNCTION service.log_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  written text := current_setting('service.account', true);
  place integer;
  writer uuid;
  name text;
  token text;
  job text;
begin
  if left(written, 1) = '{' and tg_op <> 'TRUNCATE' then
    place := strpos(written, format('"%s":"', case when tg_op = 'INSERT' then new.id else old.id end));
    -- A name has at most 255 characters: up to 1,360 in base64.
    written := case when place > 0 then split_part(substr(written, place + 40, 1500), '"', 1) end;
  end if;
  if length(written) = 36 and written ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then
    writer := written;
  elsif written ~ ('^(job|[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}) '
    || '([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$')
  then
    name := convert_from(decode(substr(written, strpos(written, ' ') + 1), 'base64'), 'UTF8');
    if left(written, 4) = 'job ' then
      job := name;
    else
      writer := left(written, 36);
      token := name;
    end if;
  end if;
  if tg_op = 'INSERT' then
    insert into service.changes_new (resource, op, id, account, token, job)
    values (
      tg_argv[0],
      case when current_setting('service.trash', true) = 'restore' then 'restore' else 'create' end,
      new.id, writer, token, job
    );
  elsif tg_op = 'UPDATE' and new.id = old.id then
    insert into service.changes_new (resource, op, id, account, token, job, before)
    values (tg_argv[0], 'update', old.id, writer, token, job, to_jsonb(old));
  elsif tg_op = 'UPDATE' then
    insert into service.changes_new (resource, op, id, account, token, job, before)
    values
      (tg_argv[0], 'delete', old.id, writer, token, job, to_jsonb(old)),
      (tg_argv[0], 'create', new.id, writer, token, job, null);
  elsif tg_op = 'DELETE' then
    insert into service.changes_new (resource, op, id, account, token, job, before)
    values (tg_argv[0], 'delete', old.id, writer, token, job, to_jsonb(old));
  else
    insert into service.changes_new (resource, op) values (tg_argv[0], 'truncate');
  end if;
  return null;
end
$function$
;
revoke execute on function service.log_change() from public;

CREATE OR REPLACE FUNCTION service.log_keyed_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  is_uuid constant boolean := tg_argv[2] = 'uuid';
  former jsonb;
  former_key text;
  latter_key text;
  former_id uuid;
  latter_id uuid;
  writer record;
begin
  if tg_op <> 'INSERT' then
    former := to_jsonb(old);
    former_key := former ->> tg_argv[1];
  end if;
  if tg_op <> 'DELETE' then
    latter_key := to_jsonb(new) ->> tg_argv[1];
  end if;
  if tg_argv[2] = 'character' then
    former_key := rtrim(former_key, ' ');
    latter_key := rtrim(latter_key, ' ');
  end if;
  writer := service.writer_of(
    service.written_for(current_setting('service.account', true), coalesce(former_key, latter_key)), null
  );
  if is_uuid then
    former_id := former_key;
    latter_id := latter_key;
    former_key := null;
    latter_key := null;
  else
    former_id := service.id_of_key(former_key);
    latter_id := service.id_of_key(latter_key);
  end if;
  if tg_op = 'INSERT' then
    insert into service.changes_new (resource, op, id, key, account, token, job)
    values (
      tg_argv[0],
      case when current_setting('service.trash', true) = 'restore' then 'restore' else 'create' end,
      latter_id, latter_key, writer.account, writer.token, writer.job
    );
  elsif tg_op = 'UPDATE' and former_id <> latter_id then
    insert into service.changes_new (resource, op, id, key, account, token, job, before)
    values
      (tg_argv[0], 'delete', former_id, former_key, writer.account, writer.token, writer.job, former),
      (tg_argv[0], 'create', latter_id, latter_key, writer.account, writer.token, writer.job, null);
  else
    insert into service.changes_new (resource, op, id, key, account, token, job, before)
    values (
      tg_argv[0], lower(tg_op), former_id, former_key, writer.account, writer.token, writer.job, former
    );
  end if;
  return null;
end
$function$
;
revoke execute on function service.log_keyed_change() from public;

CREATE OR REPLACE FUNCTION service.logged_as(table_name text)
 RETURNS text
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT split_part(encode(pg_trigger.tgargs, 'escape'::text), '\000'::text, 1) AS split_part
    FROM pg_trigger
   WHERE ((pg_trigger.tgrelid = (to_regclass(service.table_sql(logged_as.table_name)))::oid) AND (pg_trigger.tgname = 'change_log'::name));
END
;

CREATE OR REPLACE FUNCTION service.logged_key(table_name text)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN service.trigger_key((to_regclass(service.table_sql(table_name)))::oid)
;

CREATE OR REPLACE FUNCTION service.lowest_id(at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select (
    lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000000000000000'
  )::uuid
$function$
;

CREATE OR REPLACE FUNCTION service.marks()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((((((((((((((((((((((((((((((((((('\u0300-\u036F\u0483-\u0489\u0591-\u05BD\u05BF\u05C1-\u05C2\u05C4-\u05C5\u05C7\u0610-\u061A\u064B-\u065F\u0670'::text || '\u06D6-\u06DC\u06DF-\u06E4\u06E7-\u06E8\u06EA-\u06ED\u0711\u0730-\u074A\u07A6-\u07B0\u07EB-\u07F3\u07FD'::text) || '\u0816-\u0819\u081B-\u0823\u0825-\u0827\u0829-\u082D\u0859-\u085B\u0897-\u089F\u08CA-\u08E1\u08E3-\u0903'::text) || '\u093A-\u093C\u093E-\u094F\u0951-\u0957\u0962-\u0963\u0981-\u0983\u09BC\u09BE-\u09CD\u09D7\u09E2-\u09E3'::text) || '\u09FE-\u0A03\u0A3C-\u0A51\u0A70-\u0A71\u0A75\u0A81-\u0A83\u0ABC\u0ABE-\u0ACD\u0AE2-\u0AE3\u0AFA-\u0B03\u0B3C'::text) || '\u0B3E-\u0B57\u0B62-\u0B63\u0B82\u0BBE-\u0BCD\u0BD7\u0C00-\u0C04\u0C3C\u0C3E-\u0C56\u0C62-\u0C63\u0C81-\u0C83'::text) || '\u0CBC\u0CBE-\u0CD6\u0CE2-\u0CE3\u0CF3-\u0D03\u0D3B-\u0D3C\u0D3E-\u0D4D\u0D57\u0D62-\u0D63\u0D81-\u0D83'::text) || '\u0DCA-\u0DDF\u0DF2-\u0DF3\u0E31\u0E34-\u0E3A\u0E47-\u0E4E\u0EB1\u0EB4-\u0EBC\u0EC8-\u0ECE\u0F18-\u0F19\u0F35'::text) || '\u0F37\u0F39\u0F3E-\u0F3F\u0F71-\u0F84\u0F86-\u0F87\u0F8D-\u0FBC\u0FC6\u102B-\u103E\u1056-\u1059\u105E-\u1060'::text) || '\u1062-\u1064\u1067-\u106D\u1071-\u1074\u1082-\u108D\u108F\u109A-\u109D\u135D-\u135F\u1712-\u1715\u1732-\u1734'::text) || '\u1752-\u1753\u1772-\u1773\u17B4-\u17D3\u17DD\u180B-\u180D\u180F\u1885-\u1886\u18A9\u1920-\u193B\u1A17-\u1A1B'::text) || '\u1A55-\u1A7F\u1AB0-\u1B04\u1B34-\u1B44\u1B6B-\u1B73\u1B80-\u1B82\u1BA1-\u1BAD\u1BE6-\u1BF3\u1C24-\u1C37'::text) || '\u1CD0-\u1CD2\u1CD4-\u1CE8\u1CED\u1CF4\u1CF7-\u1CF9\u1DC0-\u1DFF\u20D0-\u20F0\u2CEF-\u2CF1\u2D7F\u2DE0-\u2DFF'::text) || '\u302A-\u302F\u3099-\u309A\uA66F-\uA672\uA674-\uA67D\uA69E-\uA69F\uA6F0-\uA6F1\uA802\uA806\uA80B\uA823-\uA827'::text) || '\uA82C\uA880-\uA881\uA8B4-\uA8C5\uA8E0-\uA8F1\uA8FF\uA926-\uA92D\uA947-\uA953\uA980-\uA983\uA9B3-\uA9C0\uA9E5'::text) || '\uAA29-\uAA36\uAA43\uAA4C-\uAA4D\uAA7B-\uAA7D\uAAB0\uAAB2-\uAAB4\uAAB7-\uAAB8\uAABE-\uAABF\uAAC1\uAAEB-\uAAEF'::text) || '\uAAF5-\uAAF6\uABE3-\uABEA\uABEC-\uABED\uFB1E\uFE00-\uFE0F\uFE20-\uFE2F\U000101FD\U000102E0'::text) || '\U00010376-\U0001037A\U00010A01-\U00010A0F\U00010A38-\U00010A3F\U00010AE5-\U00010AE6\U00010D24-\U00010D27'::text) || '\U00010D69-\U00010D6D\U00010EAB-\U00010EAC\U00010EFA-\U00010EFF\U00010F46-\U00010F50\U00010F82-\U00010F85'::text) || '\U00011000-\U00011002\U00011038-\U00011046\U00011070\U00011073-\U00011074\U0001107F-\U00011082'::text) || '\U000110B0-\U000110BA\U000110C2\U00011100-\U00011102\U00011127-\U00011134\U00011145-\U00011146\U00011173'::text) || '\U00011180-\U00011182\U000111B3-\U000111C0\U000111C9-\U000111CC\U000111CE-\U000111CF\U0001122C-\U00011237'::text) || '\U0001123E\U00011241\U000112DF-\U000112EA\U00011300-\U00011303\U0001133B-\U0001133C\U0001133E-\U0001134D'::text) || '\U00011357\U00011362-\U00011374\U000113B8-\U000113D0\U000113D2\U000113E1-\U000113E2\U00011435-\U00011446'::text) || '\U0001145E\U000114B0-\U000114C3\U000115AF-\U000115C0\U000115DC-\U000115DD\U00011630-\U00011640'::text) || '\U000116AB-\U000116B7\U0001171D-\U0001172B\U0001182C-\U0001183A\U00011930-\U0001193E\U00011940'::text) || '\U00011942-\U00011943\U000119D1-\U000119E0\U000119E4\U00011A01-\U00011A0A\U00011A33-\U00011A39'::text) || '\U00011A3B-\U00011A3E\U00011A47\U00011A51-\U00011A5B\U00011A8A-\U00011A99\U00011B60-\U00011B67'::text) || '\U00011C2F-\U00011C3F\U00011C92-\U00011CB6\U00011D31-\U00011D45\U00011D47\U00011D8A-\U00011D97'::text) || '\U00011EF3-\U00011EF6\U00011F00-\U00011F01\U00011F03\U00011F34-\U00011F42\U00011F5A\U00013440'::text) || '\U00013447-\U00013455\U0001611E-\U0001612F\U00016AF0-\U00016AF4\U00016B30-\U00016B36\U00016F4F'::text) || '\U00016F51-\U00016F92\U00016FE4-\U00016FF1\U0001BC9D-\U0001BC9E\U0001CF00-\U0001CF46\U0001D165-\U0001D169'::text) || '\U0001D16D-\U0001D172\U0001D17B-\U0001D182\U0001D185-\U0001D18B\U0001D1AA-\U0001D1AD\U0001D242-\U0001D244'::text) || '\U0001DA00-\U0001DA36\U0001DA3B-\U0001DA6C\U0001DA75\U0001DA84\U0001DA9B-\U0001DAAF\U0001E000-\U0001E02A'::text) || '\U0001E08F\U0001E130-\U0001E136\U0001E2AE\U0001E2EC-\U0001E2EF\U0001E4EC-\U0001E4EF\U0001E5EE-\U0001E5EF'::text) || '\U0001E6E3\U0001E6E6\U0001E6EE-\U0001E6EF\U0001E6F5\U0001E8D0-\U0001E8D6\U0001E944-\U0001E94A'::text) || '\U000E0100-\U000E01EF'::text)
;

CREATE OR REPLACE FUNCTION service.moves_function(tally_name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (octet_length(tally_name) <= 56) THEN (tally_name || '__moves'::text) ELSE ('tally_moves_'::text || md5(tally_name)) END
;

CREATE OR REPLACE FUNCTION service.name_given(relation regclass, column_name text, label text, own text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  relation_name text;
  schema_id oid;
  first text;
  second text;
  last text;
begin
  select relname, relnamespace into strict relation_name, schema_id
  from pg_class
  where oid = relation;
  for at in 0..9999 loop
    first := relation_name;
    second := coalesce('_' || column_name, '');
    last := '_' || label || coalesce(nullif(at, 0)::text, '');
    while octet_length(first || second || last) > 63 loop
      if octet_length(first) >= octet_length(second) then
        first := left(first, -1);
      else
        second := left(second, -1);
      end if;
    end loop;
    exit when first || second || last = own or not exists (
      select from pg_class where relnamespace = schema_id and relname = first || second || last
      union all
      select
      from pg_constraint
      where connamespace = schema_id and conname = first || second || last
    );
  end loop;
  return first || second || last;
end
$function$
;

CREATE OR REPLACE FUNCTION service.nfc(value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin
  if value is nfc normalized then
    return value;
  end if;
  if value !~ '[\uF900-\uFAFF\U0002F800-\U0002FA1F]' then
    return normalize(value, nfc);
  end if;
  return (
    select string_agg(case when kept is null then normalize(other, nfc) else kept end, '' order by at)
    from regexp_matches(
      value, '([\uF900-\uFAFF\U0002F800-\U0002FA1F]+)|([^\uF900-\uFAFF\U0002F800-\U0002FA1F]+)', 'g'
    ) with ordinality as part (groups, at)
    cross join lateral (values (groups[1], groups[2])) as one (kept, other)
  );
end
$function$
;

CREATE OR REPLACE FUNCTION service.not_nfc(column_name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN format('(%1$I is not nfc normalized and service.nfc(%1$I) <> %1$I collate "C")'::text, column_name)
;

CREATE OR REPLACE FUNCTION service.objects_on(table_name text, column_name text, own text[])
 RETURNS TABLE(object text)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 WITH place AS (
          SELECT pg_attribute.attrelid,
             pg_attribute.attnum,
             pg_attribute.attacl
            FROM pg_attribute
           WHERE ((pg_attribute.attrelid = ((format('public.%I'::text, objects_on.table_name))::regclass)::oid) AND (pg_attribute.attname = objects_on.column_name) AND (NOT pg_attribute.attisdropped))
         ), dependent AS (
          SELECT pg_depend.classid,
             pg_depend.objid,
             pg_depend.objsubid
            FROM (place
              JOIN pg_depend ON (((pg_depend.refclassid = ('pg_class'::regclass)::oid) AND (pg_depend.refobjid = place.attrelid) AND (pg_depend.refobjsubid = place.attnum))))
           WHERE ((NOT (EXISTS ( SELECT
                    FROM pg_constraint
                   WHERE ((pg_depend.classid = ('pg_constraint'::regclass)::oid) AND (pg_constraint.oid = pg_depend.objid) AND (pg_constraint.conrelid = place.attrelid) AND ((pg_constraint.contype = 'n'::"char") OR (pg_constraint.conname = ANY (objects_on.own))))))) AND (NOT (EXISTS ( SELECT
                    FROM (pg_index
                      JOIN pg_class ON ((pg_class.oid = pg_index.indexrelid)))
                   WHERE ((pg_depend.classid = ('pg_class'::regclass)::oid) AND (pg_index.indexrelid = pg_depend.objid) AND (pg_index.indrelid = place.attrelid) AND (pg_class.relname = ANY (objects_on.own)))))) AND (NOT (EXISTS ( SELECT
                    FROM (pg_trigger
                      JOIN pg_proc ON ((pg_proc.oid = pg_trigger.tgfoid)))
                   WHERE ((pg_depend.classid = ('pg_trigger'::regclass)::oid) AND (pg_trigger.oid = pg_depend.objid) AND (pg_proc.pronamespace = ('service'::regnamespace)::oid))))) AND (NOT (EXISTS ( SELECT
                    FROM pg_attrdef
                   WHERE ((pg_depend.classid = ('pg_attrdef'::regclass)::oid) AND (pg_attrdef.oid = pg_depend.objid) AND (pg_attrdef.adrelid = place.attrelid) AND (pg_attrdef.adnum = place.attnum))))))
         ), described AS (
          SELECT
                 CASE
                     WHEN (pg_rewrite.ev_class IS NOT NULL) THEN pg_describe_object(('pg_class'::regclass)::oid, pg_rewrite.ev_class, 0)
                     WHEN (pg_attrdef.adrelid IS NOT NULL) THEN pg_describe_object(('pg_class'::regclass)::oid, pg_attrdef.adrelid, (pg_attrdef.adnum)::integer)
                     ELSE pg_describe_object(dependent.classid, dependent.objid, dependent.objsubid)
                 END AS object
            FROM ((dependent
              LEFT JOIN pg_rewrite ON (((dependent.classid = ('pg_rewrite'::regclass)::oid) AND (pg_rewrite.oid = dependent.objid) AND (pg_rewrite.rulename = '_RETURN'::name))))
              LEFT JOIN pg_attrdef ON (((dependent.classid = ('pg_attrdef'::regclass)::oid) AND (pg_attrdef.oid = dependent.objid))))
         UNION
          SELECT ('privileges of '::text ||
                 CASE aclexplode.grantee
                     WHEN 0 THEN 'public'::text
                     ELSE ((aclexplode.grantee)::regrole)::text
                 END)
            FROM (place
              CROSS JOIN LATERAL aclexplode(place.attacl) aclexplode(grantor, grantee, privilege_type, is_grantable))
         UNION
          SELECT ('comment on '::text || pg_describe_object(('pg_class'::regclass)::oid, place.attrelid, (place.attnum)::integer))
            FROM place
           WHERE (col_description(place.attrelid, (place.attnum)::integer) IS NOT NULL)
         UNION
          SELECT ('replica identity of '::text || pg_describe_object(('pg_class'::regclass)::oid, place.attrelid, 0))
            FROM (place
              JOIN pg_index ON (((pg_index.indrelid = place.attrelid) AND pg_index.indisreplident AND (place.attnum = ANY ((pg_index.indkey)::smallint[])))))
         )
  SELECT described.object
    FROM described
   ORDER BY (described.object COLLATE "C");
END
;

CREATE OR REPLACE FUNCTION service.old_changes(_after bigint, _days integer, _most integer)
 RETURNS bigint
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 WITH next AS (
          SELECT changes.n,
             changes.at
            FROM service.changes
           WHERE (changes.n > old_changes._after)
           ORDER BY changes.n
          LIMIT old_changes._most
         )
  SELECT COALESCE(( SELECT (min(next.n) - 1)
            FROM next
           WHERE (next.at >= (now() - make_interval(days => old_changes._days)))), ( SELECT max(next.n) AS max
            FROM next
          HAVING (count(*) = old_changes._most)), ( SELECT change_counter.n
            FROM service.change_counter)) AS "coalesce";
END
;

CREATE OR REPLACE FUNCTION service.own_letters(language text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE (language COLLATE "C") WHEN 'norwegian'::text THEN 'åæø'::text WHEN 'danish'::text THEN 'åæø'::text WHEN 'swedish'::text THEN 'åäö'::text WHEN 'finnish'::text THEN 'åäö'::text WHEN 'spanish'::text THEN 'ñ'::text ELSE ''::text END
;

CREATE OR REPLACE FUNCTION service.reads_as(value text, type text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if type !~ '^(bigint|boolean|date|double precision|jsonb|numeric[(][0-9]+, ?[0-9]+[)]|text|timestamptz[(][0-9][)]|uuid)$'
  then
    raise exception 'service.reads_as knows no type %', type;
  end if;
  begin
    execute format('select $1::%s', type) using value;
    return true;
  exception when data_exception then
    return false;
  end;
end
$function$
;

CREATE OR REPLACE FUNCTION service.refold_words(_table_name text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  index service.word_indexes;
  is_possible boolean;
begin
  select * into strict index from service.word_indexes where table_name = _table_name;
  if index.definition ->> 'accents' <> 'ignore' then
    return true;
  end if;
  is_possible := service.use_unaccent();
  if is_possible <> index.is_folded then
    call service.change_words(_table_name, index.definition);
  end if;
  return is_possible;
end
$function$
;

CREATE OR REPLACE FUNCTION service.refuse_moved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    if pg_trigger_depth() > 1 then
      return old;
    end if;
  elsif tg_nargs > 0 and (
    pg_trigger_depth() > 1
    or to_jsonb(new) -> tg_argv[0] = case tg_op when 'INSERT' then '[]' else to_jsonb(old) -> tg_argv[0] end
  ) then
    return new;
  end if;
  raise lock_not_available using message = format(
    '%s is about to be replaced by a migration', concat_ws('.', tg_table_name, tg_argv[0])
  );
end
$function$
;

CREATE OR REPLACE FUNCTION service.restore_entries()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  list record;
begin
  -- Lists of the restored records that lead to others of them.
  for list in
    select entries, own, name, target
    from (select distinct table_name from old_rows) as kept
    cross join lateral service.lists_of(kept.table_name)
    where own = kept.table_name and target in (select table_name from old_rows)
    order by own, name
  loop
    execute format(
      'insert into %1$s as entry (record_id, target_id, position)
       select kept.id, listed.id::uuid, listed.at
       from old_rows as kept
       cross join unnest(service.elements_of(kept.image -> %2$L)) with ordinality as listed (id, at)
       where kept.table_name = %3$L
         and exists (select from %5$s as target where target.id = listed.id::uuid)
         and exists (
           select
           from unnest(service.elements_of(kept.image -> %2$L)) as other
           join old_rows as linked on linked.table_name = %4$L and linked.id = other::uuid
         )
       order by kept.id
       on conflict (record_id, target_id) do update
       set position = excluded.position
       where entry.position <> excluded.position',
      list.entries, list.name, list.own, list.target, service.table_sql(list.target)
    );
  end loop;

  -- Lists that had entries for the restored records.
  for list in
    select lists.entries, lists.own, lists.name, lists.target
    from (
      select distinct table_name, link ->> 'table' as own, link ->> 'column' as name
      from old_rows
      cross join jsonb_array_elements(cleared) as link
    ) as lost
    cross join lateral service.lists_of(lost.table_name) as lists
    where lists.own = lost.own and lists.name = lost.name and lists.target = lost.table_name
    order by own, name
  loop
    -- Others may write these lists.
    execute format(
      'select from public.%1$I
       where id in (
         select one::uuid
         from old_rows
         cross join jsonb_array_elements(cleared) as link
         cross join jsonb_array_elements_text(link -> ''ids'') as one
         where table_name = %2$L and link @> %3$L
       )
       order by id
       for no key update',
      list.own, list.target, jsonb_build_object('table', list.own, 'column', list.name)
    );
    -- An entry whose position has been taken is placed before the entry that has it.
    execute format(
      'with lost as materialized (
         select one.record_id::uuid as record_id, kept.id as target_id, coalesce(one.position::integer, 1) as position
         from old_rows as kept
         cross join jsonb_array_elements(kept.cleared) as link
         cross join rows from (
           jsonb_array_elements_text(link -> ''ids''), jsonb_array_elements_text(link -> ''positions'')
         ) as one (record_id, position)
         join public.%2$I as own on own.id = one.record_id::uuid
         where kept.table_name = %3$L and link @> %4$L
           and not exists (
             select from %1$s as entry where entry.record_id = own.id and entry.target_id = kept.id
           )
       ),
       moved as (
         select distinct record_id from lost join %1$s using (record_id, position)
       ),
       ordered as (
         select record_id, target_id, row_number() over (
           partition by record_id order by position, is_there, target_id
         ) as position
         from (
           select lost.*, false as is_there from lost
           union all
           select record_id, target_id, position, true from %1$s
         ) as entry
         where record_id in (select record_id from moved)
       )
       insert into %1$s as entry (record_id, target_id, position)
       select record_id, target_id, position from ordered
       union all
       select record_id, target_id, position from lost where record_id not in (select record_id from moved)
       on conflict (record_id, target_id) do update
       set position = excluded.position
       where entry.position <> excluded.position',
      list.entries, list.own, list.target, jsonb_build_object('table', list.own, 'column', list.name)
    );
    update service.trash
    set image = trash.image || jsonb_build_object(list.name, (
      select jsonb_agg(entry.id order by entry.position, entry.is_there)
      from (
        select to_jsonb(one) as id, at::integer as position, true as is_there
        from unnest(service.elements_of(trash.image -> list.name)) with ordinality as there (one, at)
        union all
        select to_jsonb(lost.target_id), lost.position, false
        from unnest(back.targets, back.positions) as lost (target_id, position)
        where not trash.image -> list.name ? lost.target_id::text
      ) as entry
    ))
    from (
      select one.record_id::uuid as record_id, array_agg(kept.id) as targets, array_agg(coalesce(one.position::integer, 1)) as positions
      from old_rows as kept
      cross join jsonb_array_elements(kept.cleared) as link
      cross join rows from (
        jsonb_array_elements_text(link -> 'ids'), jsonb_array_elements_text(link -> 'positions')
      ) as one (record_id, position)
      where kept.table_name = list.target
        and link @> jsonb_build_object('table', list.own, 'column', list.name)
      group by one.record_id
    ) as back
    where trash.table_name = list.own and trash.id = back.record_id and trash.image ? list.name;
  end loop;
  return null;
end
$function$
;
revoke execute on function service.restore_entries() from public;

CREATE OR REPLACE FUNCTION service.restore_links(_mark uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  link record;
  at integer;
  count integer;
begin
  for link in
    select distinct conrelid::regclass as own, kept.table_name, attname as name, target, atttypid as type,
      format_type(atttypid, null) as type_name, service.row_key(conrelid) as key
    from (select distinct table_name from service.trash where mark = _mark) as kept
    join pg_constraint on conrelid = to_regclass(service.table_sql(kept.table_name)) and contype = 'f'
    cross join lateral service.table_name(confrelid) as target
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where confdeltype = 'n'
      and target in (select table_name from service.trash where mark = _mark)
    order by kept.table_name, name
  loop
    execute format(
      'update %1$s as own
       set %2$I = (kept.image ->> %4$L)::%6$s
       from service.trash as kept
       join service.trash as linked
         on linked.mark = $1 and linked.table_name = %3$L and linked.id = service.kept_id(kept.image ->> %4$L, %7$s::oid)
       where kept.mark = $1
         and kept.table_name = %5$L
         and own.%8$I = (kept.image ->> %8$L)::%9$s
         and own.%2$I is null',
      link.own, link.name, link.target, link.name, link.table_name, link.type_name, link.type, link.key,
      (service.column_type(link.table_name, link.key)).type
    )
    using _mark;
  end loop;
  for link in
    -- The ids are texts: those of a link's table may have any type.
    select conrelid::regclass as own, cleared.link ->> 'table' as table_name, attname as name,
      kept.image -> target.name as value, kept.image ->> target.name as id, format_type(atttypid, null) as type,
      coalesce(cleared.link ->> 'key', 'id') as key,
      array(select jsonb_array_elements_text(cleared.link -> 'ids')) as ids
    from service.trash as kept
    cross join lateral jsonb_array_elements(kept.cleared) as cleared (link)
    join pg_constraint
      on conrelid = to_regclass(service.table_sql(cleared.link ->> 'table'))
      and confrelid = to_regclass(service.table_sql(kept.table_name))
      and contype = 'f'
    join pg_attribute
      on attrelid = conrelid and attnum = conkey[1] and attname = cleared.link ->> 'column' and not attnotnull
    cross join lateral (
      select own.attname as name from pg_attribute as own where own.attrelid = confrelid and own.attnum = confkey[1]
    ) as target
    where kept.mark = _mark and kept.cleared is not null
    order by 2, 3, kept.id
  loop
    at := 1;
    count := cardinality(link.ids);
    while at <= cardinality(link.ids) loop
      begin
        execute format(
          'update %s set %2$I = $1::%3$s where %4$I = any ($2::%5$s[]) and %2$I is null',
          link.own, link.name, link.type, link.key, (service.column_type(link.table_name, link.key)).type
        )
        using link.id, link.ids[at:at + count - 1];
        at := at + count;
        count := 2 * count;
      exception when unique_violation then
        -- One of these rows has changed since, and its link would violate a unique constraint:
        -- only this link stays empty.
        if count = 1 then
          at := at + 1;
        else
          count := count / 2;
        end if;
      end;
    end loop;
    update service.trash
    set image = image || jsonb_build_object(link.name, link.value)
    where trash.table_name = link.table_name
      and trash.id = any (array(
        select service.kept_id(one, atttypid)
        from unnest(link.ids) as one
        join pg_attribute on attrelid = link.own and attname = link.key
      ))
      and mark <> _mark
      and image ->> link.name is null;
  end loop;
end
$function$
;

CREATE OR REPLACE FUNCTION service.restore_list()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  list uuid[];
begin
  execute format(
    'select array(
       select listed.id
       from unnest(($1).%I) with ordinality as listed (id, at)
       join %s as target on target.id = listed.id
       order by at
       for key share of target
     )',
    tg_argv[0],
    (
      select confrelid::regclass
      from pg_constraint
      join pg_attribute on attrelid = conrelid and attnum = conkey[1]
      where conrelid = to_regclass(format('public.%I', tg_argv[1])) and contype = 'f' and attname = 'target_id'
    )
  )
  into list
  using new;
  return jsonb_populate_record(new, jsonb_build_object(tg_argv[0], to_jsonb(list)));
end
$function$
;
revoke execute on function service.restore_list() from public;

CREATE OR REPLACE FUNCTION service.restore_rows(_mark uuid, _table text)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  restored regclass := to_regclass(service.table_sql(_table));
  names text;
  sources text;
  missing text;
  refused jsonb;
  statement text;
  kept_ids uuid[];
  former integer := 1;
  middle integer;
  latter integer;
  state text;
  broken_constraint text;
  broken_column text;
begin
  if restored is null then
    return null;
  end if;
  select
    string_agg(format('%I', attname), ', ' order by attnum),
    string_agg(
      case
        when attname = 'updated_at' then 'now()'
        when link.key is null or attnotnull then source
        else format(
          '(select %1$I from %2$s as target where target.%1$I = %3$s for key share)', link.key, link.target, source
        ) end,
      ', ' order by attnum
    ),
    string_agg(
      case
        when link.key is not null and attnotnull
        then format(
          'select %L as name where not exists (select from %s as target where target.%I = %s)',
          attname, link.target, link.key, source
        )
      end,
      ' union all ' order by attnum
    )
  into names, sources, missing
  from (
    select attnum, attname, attnotnull,
      case
        when atttypid = 'jsonb'::regtype then format('nullif(kept.image -> %L, ''null'')', attname)
        when format_type(atttypid, atttypmod) like '%[]'
        -- Only some rows of a mark may have the list: see service.move_trashed_pairs.
        then format(
          'coalesce(service.elements_of(kept.image -> %L)::%s, ''{}'')', attname, format_type(atttypid, atttypmod)
        )
        else format('(kept.image ->> %L)::%s', attname, format_type(atttypid, atttypmod))
      end as source
    from pg_attribute
    where attrelid = restored and attnum > 0 and not attisdropped and attgenerated = ''
  ) as own
  left join lateral (
    select confrelid::regclass as target, pg_attribute.attname as key
    from pg_constraint
    join pg_attribute on attrelid = confrelid and pg_attribute.attnum = confkey[1]
    where conrelid = restored
      and contype = 'f'
      and conkey = array[own.attnum]
      -- A row that links to itself, or to another one of these, is stored with it; see service.restore_links.
    limit 1
  ) as link on true
  where exists (
    select from service.trash where mark = _mark and table_name = _table and image ? attname
  );
  if missing is not null then
    execute format(
      'select jsonb_build_object(
         ''table'', %1$L, ''id'', coalesce(kept.key, kept.id::text), ''kind'', ''missing'', ''columns'', lost.names
       )
       from service.trash as kept
       cross join lateral (select jsonb_agg(name) as names from (%2$s) as lost) as lost
       where kept.mark = $1 and kept.table_name = %1$L and lost.names is not null
       order by kept.id
       limit 1',
      _table, missing
    )
    into refused
    using _mark;
    if refused is not null then
      return refused;
    end if;
  end if;
  statement := format(
    'insert into %s (%s) overriding system value select %s from service.trash as kept where kept.mark = $1 and kept.table_name = %L',
    restored, names, sources, _table
  );
  begin
    execute statement using _mark;
    return null;
  exception when integrity_constraint_violation or data_exception or raise_exception then
    null;
  end;
  -- By bisection, up to the first row that is refused.
  kept_ids := array(select id from service.trash where mark = _mark and table_name = _table order by id);
  latter := cardinality(kept_ids);
  while former <= cardinality(kept_ids) loop
    middle := (former + latter) / 2;
    begin
      execute statement || ' and kept.id = any ($2)' using _mark, kept_ids[former:middle];
      former := middle + 1;
      if former > latter then
        latter := cardinality(kept_ids);
      end if;
    exception when integrity_constraint_violation or data_exception or raise_exception then
      if former = middle then
        get stacked diagnostics
          state = returned_sqlstate,
          broken_constraint = constraint_name,
          broken_column = column_name;
        return jsonb_build_object(
          'table', _table,
          'id', (select coalesce(key, id::text) from service.trash where table_name = _table and id = kept_ids[former]),
          'kind', case state
            when '23505' then 'unique' when '23P01' then 'unique' when '23502' then 'empty' when '23503' then 'link'
            else 'check'
          end,
          'name', coalesce(nullif(broken_constraint, ''), broken_column)
        );
      end if;
      latter := middle;
    end;
  end loop;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION service.restore_trash(_mark uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  waiting text[] := array(select distinct table_name from service.trash where mark = _mark order by 1);
  one text;
  refused jsonb;
begin
  perform set_config('service.trash', 'restore', true);
  select jsonb_build_object(
    'table', table_name, 'id', coalesce(key, id::text), 'kind', 'unfit', 'columns', array(select jsonb_object_keys(unfit) order by 1)
  ) into refused
  from service.trash
  where mark = _mark and unfit is not null
  order by table_name, id
  limit 1;
  while refused is null and cardinality(waiting) > 0 loop
    select name into strict one
    from unnest(waiting) as name
    order by exists (
      select
      from pg_constraint
      where conrelid = to_regclass(service.table_sql(name))
        and contype = 'f'
        and confdeltype <> 'n'
        and service.table_name(confrelid) = any (array_remove(waiting, name))
    ), name
    limit 1;
    waiting := array_remove(waiting, one);
    refused := service.restore_rows(_mark, one);
  end loop;
  if refused is not null then
    return refused;
  end if;
  perform service.restore_links(_mark);
  delete from service.trash where mark = _mark;
  perform set_config('service.trash', '', true);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION service.row_key(relation oid)
 RETURNS text
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT COALESCE(service.trigger_key(relation), (( SELECT pg_attribute.attname
            FROM (pg_index
              JOIN pg_attribute ON (((pg_attribute.attrelid = pg_index.indrelid) AND (pg_attribute.attnum = pg_index.indkey[0]))))
           WHERE ((pg_index.indrelid = row_key.relation) AND pg_index.indisprimary AND (pg_index.indnkeyatts = 1))))::text, 'id'::text) AS "coalesce";
END
;

CREATE OR REPLACE FUNCTION service.row_of(_row anyelement, _image jsonb)
 RETURNS anyelement
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  column_name text;
begin
  return jsonb_populate_record(_row, _image);
exception when data_exception then
  for column_name in select jsonb_object_keys(_image) loop
    begin
      perform jsonb_populate_record(_row, jsonb_build_object(column_name, _image -> column_name));
    exception when data_exception then
      _image := _image - column_name;
    end;
  end loop;
  return jsonb_populate_record(_row, _image);
end
$function$
;

CREATE OR REPLACE FUNCTION service.second_argument(arguments bytea)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN service.first_argument(SUBSTRING(arguments FROM (POSITION(('\x00'::bytea) IN (arguments)) + 1)))
;

CREATE OR REPLACE FUNCTION service.sequence_changes(_most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  -- Whether this transaction gets its number only below, after `last_given` was read.
  is_fresh boolean := pg_current_xact_id_if_assigned() is null;
  counter service.change_counter;
  ended xid8;
  last_given bigint;
  moved integer;
begin
  if not pg_try_advisory_xact_lock(7364028) then
    return 0;
  end if;
  select * into strict counter from service.change_counter;
  last_given := (select case when is_called then last_value else 0 end from service.changes_new_seq_seq);
  if last_given < counter.lowest_seq - 1 then
    -- Somebody has restarted the numbers. Stored at once: this is not seen any more when they have caught up.
    update service.change_counter set lowest_seq = 0, next_seq = 0 returning * into strict counter;
  end if;
  -- Before the inbox is read, which then shows all that those have written.
  ended := pg_snapshot_xmin(pg_current_snapshot());

  with taken as (
    delete from service.changes_new
    where seq in (
      select seq from service.changes_new where seq >= counter.lowest_seq order by seq limit _most
    )
    returning *
  )
  insert into service.changes (n, at, resource, op, id, key, account, token, job, tx, before)
  select counter.n + row_number() over (order by seq),
    at, resource, op, id, key, account, token, job, tx, before
  from taken;
  get diagnostics moved = row_count;
  if moved > 0 then
    update service.change_counter set n = counter.n + moved;
  end if;

  -- Dead rows stay in the index as long as any session has an old snapshot. So that they are not read each time, reading
  -- begins at the lowest number that a transaction can still have: those that ran when `next_seq` was given have ended.
  if moved < _most
    and is_fresh
    and counter.horizon <= ended
    and (counter.next_seq > counter.lowest_seq or last_given >= counter.next_seq)
  then
    update service.change_counter
    set lowest_seq = counter.next_seq,
        next_seq = last_given + 1,
        -- Whoever has one of the numbers up to `last_given` got its own number before this one. (The end of a snapshot
        -- would not do: it is the number behind the last transaction that has ended, and others may run beyond it.)
        horizon = pg_current_xact_id();
  end if;
  return moved;
end
$function$
;

CREATE OR REPLACE FUNCTION service.set_updated_at()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if coalesce(current_setting('service.keeps_updated_at', true), '') <> 'on' then
    new.updated_at := greatest(now(), old.updated_at + interval '1 millisecond');
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION service.stem_prefix(language text, languages jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (jsonb_array_length(languages) > 1) THEN (('='::text || language) || '/'::text) ELSE '='::text END
;

CREATE OR REPLACE FUNCTION service.stemmers(language text, OUT of_ascii regdictionary, OUT of_others regdictionary)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  select oid into of_others
  from pg_catalog.pg_ts_dict
  where dictname = (language || '_stem') collate "C" and dictnamespace = 'pg_catalog'::regnamespace;
  of_ascii := of_others;
  -- The configurations of these two treat ASCII words as English.
  if language collate "C" in ('hindi', 'russian') and of_others is not null then
    select oid into of_ascii
    from pg_catalog.pg_ts_dict
    where dictname = 'english_stem' and dictnamespace = 'pg_catalog'::regnamespace;
  end if;
end
$function$
;

CREATE OR REPLACE FUNCTION service.strip_accents(value text, own_letters text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$ begin return value; end $function$
;

CREATE OR REPLACE FUNCTION service.table_name(relation oid)
 RETURNS text
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT
         CASE
             WHEN (pg_namespace.nspname = ANY (ARRAY['public'::name, 'service'::name])) THEN (pg_class.relname)::text
             ELSE (((pg_namespace.nspname)::text || '.'::text) || (pg_class.relname)::text)
         END AS "case"
    FROM (pg_class
      JOIN pg_namespace ON ((pg_namespace.oid = pg_class.relnamespace)))
   WHERE (pg_class.oid = table_name.relation);
END
;

CREATE OR REPLACE FUNCTION service.table_sql(table_name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
BEGIN ATOMIC
 SELECT
         CASE strpos(table_name, '.'::text)
             WHEN 0 THEN format('public.%I'::text, table_name)
             ELSE format('%I.%I'::text, split_part(table_name, '.'::text, 1), split_part(table_name, '.'::text, 2))
         END AS format;
END
;

CREATE OR REPLACE FUNCTION service.term_queries(term jsonb, language text, stem_prefix text, is_folded boolean, groups integer[], OUT exact text, OUT stemmed text, OUT prefixed text)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  words constant text[] := service.words_of(
    term ->> 'text', case when is_folded then service.own_letters(language) end
  );
  is_quoted constant boolean := (term ->> 'quoted')::boolean;
  has_prefix constant boolean := (term ->> 'prefix')::boolean;
  stemmers record;
begin
  if cardinality(words) = 0 then
    return;
  end if;
  select * into stemmers from service.stemmers(language);
  select
    string_agg(own.exact, ' | ' order by number),
    string_agg(own.stemmed, ' | ' order by number),
    string_agg(own.prefixed, ' | ' order by number)
  into exact, stemmed, prefixed
  from unnest(groups) with ordinality as each_group (present, number)
  cross join lateral (select case when present = 0 then '' else present || '#' end as prefix offset 0) as own_prefix
  cross join lateral (
    select
      '(' || string_agg(format('''%s%s''', prefix, word), ' <-> ' order by at) || ')' as exact,
      '(' || string_agg(forms, ' <-> ' order by at) || ')' as stemmed,
      '(' || string_agg(
        case
          when has_prefix and at = cardinality(words) and length(word) > 1
          then format('(%s | ''%s%s'':*)', forms, prefix, word)
          else forms
        end,
        ' <-> ' order by at
      ) || ')' as prefixed
    from (
      select
        word, at,
        case
          when is_quoted or stem is null then format('''%s%s''', prefix, word)
          when stem = word collate "C" then format('(''%1$s%2$s'' | ''%1$s%3$s%2$s'')', prefix, word, stem_prefix)
          else format('(''%1$s%2$s'' | ''%1$s%4$s'' | ''%1$s%3$s%4$s'')', prefix, word, stem_prefix, stem)
        end as forms
      from (
        select
          word, at,
          (ts_lexize(
            case when word collate "C" ~ '^[a-z]+$' then stemmers.of_ascii else stemmers.of_others end, word
          ))[1] as stem
        from unnest(words) with ordinality as each (word, at)
      ) as stems
    ) as forms
  ) as own;
  exact := '(' || exact || ')';
  stemmed := '(' || stemmed || ')';
  prefixed := '(' || prefixed || ')';
end
$function$
;

CREATE OR REPLACE FUNCTION service.text_columns()
 RETURNS TABLE(table_name text, columns text[])
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT tallies.table_name,
     array_agg((pg_attribute.attname)::text ORDER BY pg_attribute.attnum) AS array_agg
    FROM (service.tallies
      JOIN pg_attribute ON ((pg_attribute.attrelid = (to_regclass(format('public.%I'::text, tallies.table_name)))::oid)))
   WHERE ((pg_attribute.attnum > 0) AND (NOT pg_attribute.attisdropped) AND (pg_attribute.attgenerated = ''::"char") AND (pg_attribute.atttypid = ('text'::regtype)::oid) AND (pg_attribute.attcollation = ('"und-x-icu"'::regcollation)::oid))
   GROUP BY tallies.table_name
   ORDER BY (tallies.table_name COLLATE "C");
END
;

CREATE OR REPLACE FUNCTION service.trash_value_as(value jsonb, type text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE STRICT
AS $function$
declare
  elements text[] := coalesce(service.elements_of(value), '{}');
  element_type text := replace(type, '[]', '');
  element text;
begin
  if type = element_type then
    elements := elements[1:1];
    value := case when jsonb_typeof(value) = 'array' then coalesce(value -> 0, 'null') else value end;
  elsif jsonb_typeof(value) <> 'array' then
    value := case when jsonb_typeof(value) = 'null' then '[]' else jsonb_build_array(value) end;
  end if;
  foreach element in array elements loop
    if not service.reads_as(element, element_type) then
      return null;
    end if;
  end loop;
  return value;
end
$function$
;

CREATE OR REPLACE FUNCTION service.trigger_key(relation oid)
 RETURNS text
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT service.second_argument(pg_trigger.tgargs) AS second_argument
    FROM pg_trigger
   WHERE ((pg_trigger.tgrelid = trigger_key.relation) AND (pg_trigger.tgfoid = ANY (ARRAY[('service.keep_keyed()'::regprocedure)::oid, ('service.log_keyed_change()'::regprocedure)::oid])))
  LIMIT 1;
END
;

CREATE OR REPLACE FUNCTION service.uncounted_numbers(table_name text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  tally service.tallies;
  lacks text;
  sums text;
  numbers text;
  result jsonb;
begin
  select * into strict tally
  from service.tallies as one
  where one.table_name = uncounted_numbers.table_name;
  if array_remove(tally.uncounted, 'owner') = '{}' then
    return '{}';
  end if;

  select
    string_agg(format('found.%1$I - coalesce(kept.%1$I, 0) as %1$I', name), ', '),
    string_agg(format('sum(%I) as %1$I', name), ', '),
    string_agg(
      case name
        when 'total' then 'count(*) as total'
        else format(
          'count(*) filter (where %I = %L) as %I',
          tally.counts -> name ->> 0, tally.counts -> name ->> 1, name
        )
      end,
      ', '
    )
  into lacks, sums, numbers
  from unnest(array_remove(tally.uncounted, 'owner')) as name;
  execute format(
    'select to_jsonb(lacks)
     from (
       select %s
       from (select %s from service.%I) as kept, (select %s from %s) as found
     ) as lacks',
    lacks, sums, tally.tally_name, numbers, service.table_sql(tally.table_name)
  )
  into strict result;
  return result;
end
$function$
;

CREATE OR REPLACE FUNCTION service.use_unaccent()
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  place text;
  body text;
begin
  select nspname into place
  from pg_extension
  join pg_namespace on pg_namespace.oid = extnamespace
  where extname = 'unaccent';
  if not found then
    begin
      create extension unaccent schema service;
      place := 'service';
    exception when insufficient_privilege or feature_not_supported or undefined_file then
      raise warning 'Searches distinguish accents: %', sqlerrm
        using hint = 'have the extension unaccent created in the schema service and run: service search rebuild';
      return false;
    end;
  end if;
  body := format(
    $body$
begin
  if own_letters = '' then
    return %1$I.unaccent('%1$I.unaccent', value);
  end if;
  return translate(
    %1$I.unaccent('%1$I.unaccent', translate(value, own_letters, u&'\E000\E001\E002')),
    u&'\E000\E001\E002', own_letters
  );
end
$body$,
    place
  );
  if not exists (
    select from pg_proc where oid = 'service.strip_accents(text, text)'::regprocedure and prosrc = body
  ) then
    execute format(
      'create or replace function service.strip_accents(value text, own_letters text) returns text
       language plpgsql stable parallel safe as %L',
      body
    );
  end if;
  return true;
end
$function$
;

CREATE OR REPLACE FUNCTION service.uuid_v7()
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
RETURN (SELECT ((((lpad(to_hex((clock.micros / 1000)), 12, '0'::text) || '7'::text) || lpad(to_hex((((clock.micros % (1000)::bigint) * 4096) / 1000)), 3, '0'::text)) || substr(replace((gen_random_uuid())::text, '-'::text, ''::text), 17)))::uuid AS uuid FROM (SELECT ((EXTRACT(epoch FROM clock_timestamp()) * (1000000)::numeric))::bigint AS micros) clock)
;

CREATE OR REPLACE FUNCTION service.vector_sql(index service.word_indexes)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN (SELECT format('service.word_vector(%s, %s, %L, %s, %s, %s)'::text, language.value, CASE WHEN (jsonb_array_length(((vector_sql.index).definition -> 'languages'::text)) > 1) THEN format('service.stem_prefix(%s, %L)'::text, language.value, ((vector_sql.index).definition -> 'languages'::text)) ELSE '''='''::text END, (vector_sql.index).is_folded, CASE WHEN bool_or(fields.is_list) THEN string_agg(CASE WHEN fields.is_list THEN fields.text ELSE format('array[%s]'::text, fields.text) END, ' || '::text ORDER BY fields.at) ELSE format('array[%s]::text[]'::text, string_agg(fields.text, ', '::text ORDER BY fields.at)) END, CASE WHEN bool_or(fields.is_list) THEN string_agg(format('array_fill(%L::text, array[%s])'::text, fields.weight, fields.length), ' || '::text ORDER BY fields.at) ELSE format('%L::text[]'::text, array_agg(fields.weight ORDER BY fields.at)) END, CASE WHEN bool_or(fields.is_list) THEN string_agg(format('array_fill(%s, array[%s])'::text, fields.number, fields.length), ' || '::text ORDER BY fields.at) ELSE format('%L::integer[]'::text, array_agg(fields.number ORDER BY fields.at)) END) AS format FROM ((SELECT each.at, (each.field ->> 'weight'::text) AS weight, ((each.field ->> 'group'::text))::integer AS number, sql_of_field.is_list, CASE WHEN sql_of_field.is_list THEN format('coalesce(%s, ''{}'')::text[]'::text, sql_of_field.value) ELSE format('%s::text'::text, sql_of_field.value) END AS text, CASE WHEN sql_of_field.is_list THEN format('coalesce(cardinality(%s), 0)'::text, sql_of_field.value) ELSE '1'::text END AS length FROM (jsonb_array_elements(((vector_sql.index).definition -> 'fields'::text)) WITH ORDINALITY each(field, at) CROSS JOIN LATERAL (SELECT (COALESCE(((each.field -> 'list'::text) = 'true'::jsonb), false) OR (((each.field -> 'link'::text) ->> 'entries'::text) IS NOT NULL)) AS is_list, CASE WHEN (((each.field -> 'link'::text) ->> 'entries'::text) IS NOT NULL) THEN format('array(
            select %1$s
            from unnest(new.%2$I) with ordinality as entry (id, place)
            join %3$s as linked on linked.id = entry.id%4$s
            order by place%5$s /* lock */
          )'::text, CASE WHEN ((each.field -> 'list'::text) = 'true'::jsonb) THEN 'element'::text ELSE format('linked.%I'::text, (each.field ->> 'column'::text)) END, ((each.field -> 'link'::text) ->> 'column'::text), service.table_sql(((each.field -> 'link'::text) ->> 'table'::text)), CASE WHEN ((each.field -> 'list'::text) = 'true'::jsonb) THEN format(' cross join lateral unnest(linked.%I) with ordinality as elements (element, at)'::text, (each.field ->> 'column'::text)) ELSE NULL::text END, CASE WHEN ((each.field -> 'list'::text) = 'true'::jsonb) THEN ', at'::text ELSE NULL::text END) WHEN (jsonb_typeof((each.field -> 'link'::text)) = 'object'::text) THEN format('(select linked.%I from %s as linked where linked.%I = new.%I /* lock */)'::text, (each.field ->> 'column'::text), service.table_sql(((each.field -> 'link'::text) ->> 'table'::text)), COALESCE(((each.field -> 'link'::text) ->> 'id'::text), 'id'::text), ((each.field -> 'link'::text) ->> 'column'::text)) ELSE format('new.%I'::text, (each.field ->> 'column'::text)) END AS value OFFSET 0) sql_of_field)) fields CROSS JOIN (SELECT COALESCE(format('coalesce(new.%I, ''simple'')'::text, NULLIF(((vector_sql.index).definition ->> 'languageColumn'::text), ''::text)), quote_literal(((vector_sql.index).definition ->> 'language'::text))) AS value WHERE (((vector_sql.index).definition ->> 'languageColumn'::text) IS NOT NULL) UNION ALL SELECT quote_literal(((vector_sql.index).definition ->> 'language'::text)) AS quote_literal WHERE (((vector_sql.index).definition ->> 'languageColumn'::text) IS NULL)) language) GROUP BY language.value)
;

CREATE OR REPLACE FUNCTION service.word_matches(_table_name text, _language text, _terms jsonb, _tokens text[])
 RETURNS TABLE(token text, term integer, place integer, size integer)
 LANGUAGE plpgsql
 STABLE
AS $function$
#variable_conflict use_column
declare
  own_letters text := (
    select case when is_folded then service.own_letters(_language) end
    from service.word_indexes
    where table_name = _table_name
  );
  stemmers record;
begin
  select * into stemmers from service.stemmers(_language);
  return query
  with searched as materialized (
    select
      number::integer as term,
      place::integer as place,
      cardinality(words) as size,
      word collate "C" as word,
      not (term ->> 'quoted')::boolean as has_stem,
      (term ->> 'prefix')::boolean and place = cardinality(words) and length(word) > 1 as is_prefix,
      (ts_lexize(
        case when word collate "C" ~ '^[a-z]+$' then stemmers.of_ascii else stemmers.of_others end, word
      ))[1] collate "C" as stem
    from jsonb_array_elements(_terms) with ordinality as terms (term, number)
    cross join lateral (select service.words_of(term ->> 'text', own_letters) as words offset 0) as split
    cross join lateral unnest(words) with ordinality as each (word, place)
  ),
  read as materialized (
    select
      token,
      word,
      (ts_lexize(
        case when word ~ '^[a-z]+$' then stemmers.of_ascii else stemmers.of_others end, word
      ))[1] collate "C" as stem
    from unnest(_tokens) as token
    cross join lateral (
      select case
        when token collate "C" ~ '^[A-Za-z0-9]{1,200}$' then lower(token collate "C")
        else (service.words_of(token, own_letters))[1] collate "C"
      end as word
      offset 0
    ) as split
    where word is not null
  )
  select read.token, searched.term, searched.place, searched.size
  from searched
  join read
    on read.word = searched.word
    or (has_stem and (read.word = searched.stem or read.stem = searched.stem))
    or (is_prefix and starts_with(read.word, searched.word));
end
$function$
;

CREATE OR REPLACE FUNCTION service.word_queries(_table_name text, _groups integer[], _query jsonb, OUT exact tsquery, OUT stemmed tsquery, OUT prefixed tsquery)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
#variable_conflict use_column
declare
  index service.word_indexes;
  texts record;
begin
  select * into strict index from service.word_indexes where table_name = _table_name;
  select
    string_agg(own.exact, ' | ') as exact,
    string_agg(own.stemmed, ' | ') as stemmed,
    string_agg(own.prefixed, ' | ') as prefixed
  into texts
  from (
    select
      '(' || string_agg(term.exact, ' & ') || ')' as exact,
      '(' || string_agg(term.stemmed, ' & ') || ')' as stemmed,
      '(' || string_agg(term.prefixed, ' & ') || ')' as prefixed
    from jsonb_array_elements(_query) with ordinality as alternatives (alternative, number)
    cross join lateral jsonb_array_elements(alternative) with ordinality as terms (term, at)
    cross join lateral (
      select
        case when is_not then '!(' || stemmed || ')' else '(' || exact || ')' end as exact,
        case when is_not then '!(' || stemmed || ')' else '(' || stemmed || ')' end as stemmed,
        case when is_not then '!(' || stemmed || ')' else '(' || prefixed || ')' end as prefixed
      from (
        select
          (term ->> 'not')::boolean as is_not,
          string_agg(distinct one.exact, ' | ') as exact,
          string_agg(distinct one.stemmed, ' | ') as stemmed,
          string_agg(distinct one.prefixed, ' | ') as prefixed
        from jsonb_array_elements_text(index.definition -> 'languages') as language
        cross join lateral service.term_queries(
          term, language, service.stem_prefix(language, index.definition -> 'languages'), index.is_folded, _groups
        ) as one
      ) as joined
    ) as term
    where term.prefixed is not null
    group by number
  ) as own;
  exact := texts.exact::tsquery;
  stemmed := texts.stemmed::tsquery;
  prefixed := texts.prefixed::tsquery;
end
$function$
;

CREATE OR REPLACE FUNCTION service.word_vector(language text, stem_prefix text, is_folded boolean, texts text[], weights text[], groups integer[])
 RETURNS tsvector
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  own_letters constant text := case when is_folded then service.own_letters(language) end;
  room constant integer := 16383 / (groups[cardinality(groups)] + 1);
  -- Bytes; PostgreSQL's limit is 1 MiB. A quarter as many characters never have more bytes.
  most_bytes constant integer := 1000000;
  of_ascii regdictionary;
  of_others regdictionary;
  is_mixed boolean;
  words text[] collate "C";
  part text;
  vector text := '';
  present integer := -1;
  prefix text;
  stem_start text;
  weight text;
  place integer;
  last_place integer;
begin
  select own.of_ascii, own.of_others into of_ascii, of_others from service.stemmers(language) as own;
  is_mixed := of_ascii <> of_others;
  for at in 1 .. cardinality(texts) loop
    if groups[at] <> present then
      present := groups[at];
      place := present * room;
      last_place := place + room - 1;
      prefix := case when present = 0 then '' else present || '#' end;
      stem_start := ' ' || prefix || stem_prefix;
    end if;
    words := service.words_of(texts[at], own_letters);
    if cardinality(words) = 0 then
      continue;
    end if;
    weight := weights[at];
    -- The order of the words does not matter, and a stem that equals its word is not repeated.
    select string_agg(
      prefix || word || position || coalesce(stem_start || nullif(
        (ts_lexize(case when is_mixed and word ~ '^[a-z]+$' then of_ascii else of_others end, word))[1],
        word
      ) || position, ''),
      ' '
    )
    into part
    from (
      select word, ':' || least(place + number, last_place) || weight as position
      from unnest(words) with ordinality as each (word, number)
      -- Computes each position once.
      offset 0
    ) as placed;
    vector := vector || ' ' || part;
    place := place + cardinality(words) + 8;
  end loop;
  if octet_length(vector) > most_bytes then
    vector := left(vector, most_bytes / 4);
    vector := left(vector, length(vector) - strpos(reverse(vector), ' '));
  end if;
  return vector::tsvector;
end
$function$
;

CREATE OR REPLACE FUNCTION service.words_key(_table_name text, OUT id_column text, OUT id_type text)
 RETURNS record
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT COALESCE((word_indexes.definition ->> 'id'::text), 'id'::text) AS "coalesce",
     id.type
    FROM (service.word_indexes
      CROSS JOIN LATERAL service.column_type(word_indexes.table_name, COALESCE((word_indexes.definition ->> 'id'::text), 'id'::text)) id(type, definition))
   WHERE (word_indexes.table_name = words_key._table_name);
END
;

CREATE OR REPLACE FUNCTION service.words_language(_table_name text, _row jsonb)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN (SELECT COALESCE((words_language._row ->> (word_indexes.definition ->> 'languageColumn'::text)), (word_indexes.definition ->> 'language'::text), 'simple'::text) AS "coalesce" FROM service.word_indexes WHERE (word_indexes.table_name = words_language._table_name))
;

CREATE OR REPLACE FUNCTION service.words_of(value text, own_letters text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  folded text collate "und-x-icu";
  marks text;
begin
  if value is null then
    return '{}';
  elsif octet_length(value) = length(value) then
    folded := regexp_replace(lower(value collate "C"), '[^a-z0-9 ]', ' ', 'g');
    if folded collate "C" ~ '[a-z][0-9]|[0-9][a-z]' then
      folded := regexp_replace(folded collate "C", '([0-9]+)', ' \1 ', 'g');
    end if;
  else
    marks := service.marks();
    folded := service.fold_case(translate(normalize(value, nfkc), u&'\00AD\200C\200D', ''));
    if own_letters is not null then
      folded := lower(service.strip_accents(folded, own_letters));
    end if;
    folded := regexp_replace(folded, '[^[:alpha:][:digit:]' || marks || ']+', ' ', 'g');
    folded := regexp_replace(folded, '(^| )[' || marks || ']+', '\1', 'g');
    if folded ~ '[[:digit:]]' then
      folded := regexp_replace(
        folded,
        '([[:alpha:]][' || marks || ']*(?=[[:digit:]])|[[:digit:]][' || marks || ']*(?=[[:alpha:]]))',
        '\1 ', 'g'
      );
    end if;
  end if;
  -- A vector takes no longer words.
  if length(folded) > 200 and folded collate "C" ~ '[^ ]{201}' then
    folded := regexp_replace(folded collate "C", '([^ ]{200})[^ ]+', '\1', 'g');
  end if;
  return array_remove(string_to_array(folded, ' '), '');
end
$function$
;

CREATE OR REPLACE FUNCTION service.writer_of(written text, id uuid, OUT account uuid, OUT token text, OUT job text)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  place integer;
begin
  if left(written, 1) = '{' then
    place := strpos(written, format('"%s":"', id));
    -- A name has at most 255 characters: up to 1,360 in base64.
    written := case when place > 0 then split_part(substr(written, place + 40, 1500), '"', 1) end;
  end if;
  if length(written) = 36 and written ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then
    account := written;
  elsif written ~ ('^(job|[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}) '
    || '([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$')
  then
    token := convert_from(decode(substr(written, strpos(written, ' ') + 1), 'base64'), 'UTF8');
    if left(written, 4) = 'job ' then
      job := token;
      token := null;
    else
      account := left(written, 36);
    end if;
  end if;
end
$function$
;

CREATE OR REPLACE FUNCTION service.writing_account(_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  written text := current_setting('service.account', true);
  place integer;
begin
  if left(written, 1) = '{' then
    place := strpos(written, format('"%s":"', _id));
    written := case when place > 0 then substr(written, place + 40, 36) end;
  end if;
  written := left(written, 36);
  return case when written ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then written::uuid end;
end
$function$
;

CREATE OR REPLACE FUNCTION service.writing_account_of(key text)
 RETURNS uuid
 LANGUAGE sql
 STABLE
RETURN (service.writer_of(service.written_for(current_setting('service.account'::text, true), key), NULL::uuid)).account
;

CREATE OR REPLACE FUNCTION service.written_for(written text, key text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
declare
  name text;
  place integer;
begin
  if left(written, 1) <> '{' then
    return written;
  end if;
  name := to_json(key)::text || ':"';
  place := strpos(written, name);
  -- A name has at most 255 characters: up to 1,360 in base64.
  return case when place > 0 then split_part(substr(written, place + length(name), 1500), '"', 1) end;
end
$function$
;

CREATE OR REPLACE FUNCTION service.wrong_counts()
 RETURNS TABLE(table_name text, counted text, kept bigint, found bigint)
 LANGUAGE plpgsql
AS $function$
declare
  tally service.tallies;
  sums text;
  numbers text;
begin
  for tally in select * from service.tallies as one order by one.table_name loop
    select
      coalesce(string_agg(format(', sum(%I) as %1$I', key), '' order by key), ''),
      coalesce(
        string_agg(
          format(', count(*) filter (where %I = %L) as %I', value ->> 0, value ->> 1, key),
          '' order by key
        ),
        ''
      )
    into sums, numbers
    from jsonb_each(tally.counts)
    where value ->> 1 is not null;
    -- One statement sees both sides as of one moment.
    return query execute format(
      $query$
        select
          %1$L::text,
          coalesce($1 -> number.key ->> 0 || ' = ' || ($1 -> number.key ->> 1), 'all'),
          coalesce((kept.numbers ->> number.key)::bigint, 0),
          number.value::bigint
        from
          (select to_jsonb(sums) from (select sum(total) as total %3$s from service.%2$I) as sums)
            as kept (numbers),
          (select to_jsonb(counts) from (select count(*) as total %4$s from %5$s) as counts)
            as found (numbers),
          jsonb_each_text(found.numbers) as number
        where number.value is distinct from coalesce(kept.numbers ->> number.key, '0')
        order by number.key
      $query$,
      tally.table_name, tally.tally_name, sums, numbers, service.table_sql(tally.table_name)
    )
    using tally.counts;

    -- One of many wrong ones says enough.
    if tally.counts ? 'owner' then
      return query execute format(
        $query$
          select
            %1$L::text,
            %2$L || ' = ' || owner,
            coalesce(kept.rows, 0)::bigint,
            coalesce(found.rows, 0)
          from (select %2$I as owner, count(*) as rows from %3$s group by %2$I) as found
          full join (
            select owner, sum(total) as rows
            from service.owner_counts
            where table_name = %1$L
            group by owner
          ) as kept using (owner)
          where coalesce(found.rows, 0) <> coalesce(kept.rows, 0)
          order by owner
          limit 1
        $query$,
        tally.table_name, tally.counts -> 'owner' ->> 0, service.table_sql(tally.table_name)
      );
    end if;
  end loop;
end
$function$
;

CREATE OR REPLACE PROCEDURE service.add_numbers(IN table_name text, IN numbers jsonb)
 LANGUAGE plpgsql
AS $procedure$
declare
  tally service.tallies;
  names text;
  amounts text;
begin
  select * into strict tally
  from service.tallies as one
  where one.table_name = add_numbers.table_name
  for update;

  if not numbers ?& array_remove(tally.uncounted, 'owner') then
    raise exception 'The rows of % are not all counted: of %, there is %',
      table_name, tally.uncounted, numbers;
  end if;
  if array_remove(tally.uncounted, 'owner') = '{}' then
    return;
  end if;

  select
    string_agg(format('%I', name), ', ' order by name),
    string_agg(format('%L', numbers ->> name), ', ' order by name)
  into names, amounts
  from unnest(array_remove(tally.uncounted, 'owner')) as name;
  execute format('insert into service.%I (%s) values (%s)', tally.tally_name, names, amounts);
  update service.tallies as one
  set uncounted = array(select name from unnest(one.uncounted) as name where name = 'owner')
  where one.table_name = add_numbers.table_name;
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.add_owners(IN table_name text)
 LANGUAGE plpgsql
AS $procedure$
declare
  tally service.tallies;
  own_slot bigint := - pg_current_xact_id()::text::bigint;
begin
  select * into strict tally
  from service.tallies as one
  where one.table_name = add_owners.table_name;
  if 'owner' <> all (tally.uncounted) then
    return;
  end if;

  execute format(
    'insert into service.owner_counts (owner, table_name, slot, total)
     select owner, %2$L, %4$s, coalesce(found.rows, 0) - coalesce(kept.rows, 0)
     from (select %1$I as owner, count(*) as rows from %3$s group by %1$I) as found
     full join (
       select owner, sum(total) as rows
       from service.owner_counts
       where table_name = %2$L
       group by owner
     ) as kept using (owner)
     where coalesce(found.rows, 0) <> coalesce(kept.rows, 0)',
    tally.counts -> 'owner' ->> 0, table_name, service.table_sql(table_name), own_slot
  );

  select * into strict tally
  from service.tallies as one
  where one.table_name = add_owners.table_name
  for update;
  if 'owner' <> all (tally.uncounted) then
    delete from service.owner_counts as kept
    where kept.table_name = add_owners.table_name and kept.slot = own_slot;
    return;
  end if;
  update service.tallies as one
  set uncounted = array_remove(one.uncounted, 'owner')
  where one.table_name = add_owners.table_name;
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.adopt_tally(IN table_name text, IN tally_name text, IN counts jsonb)
 LANGUAGE plpgsql
AS $procedure$
declare
  own regclass := service.table_sql(table_name)::regclass;
  trigger_names text[] := array[
    'tally_insert', 'tally_update', 'tally_moves', 'tally_delete', 'tally_truncate'
  ];
  trigger_name text;
begin
  select tgname into trigger_name
  from pg_trigger
  where tgrelid = own and tgname = any (trigger_names)
    and tgfoid not in (select oid from pg_proc where pronamespace = 'service'::regnamespace);
  if found then
    raise exception 'the table % has another trigger %', table_name, trigger_name
      using hint = 'rename that trigger';
  end if;

  perform set_config('service.adopts', 'on', true);
  call service.change_tally(table_name, tally_name, counts);
  perform set_config('service.adopts', 'off', true);
  call service.fire_always(table_name);
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.allow_joint_deletes(IN table_name text, IN entries text)
 LANGUAGE plpgsql
AS $procedure$
begin
  call service.forbid_joint_deletes(entries);
  execute format(
    'create trigger %I after delete on %s for each row execute function service.delete_joint_entries(%L, %L)',
    service.joint_deletes_trigger(entries),
    (
      select confrelid::regclass
      from pg_constraint
      join pg_attribute on attrelid = conrelid and attnum = conkey[1]
      where conrelid = to_regclass(format('public.%I', entries)) and contype = 'f' and attname = 'target_id'
    ),
    entries, table_name
  );
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.build_search_index(IN searched_table text)
 LANGUAGE plpgsql
AS $procedure$
declare
  search service.search_indexes;
  extension_schema text;
begin
  select * into strict search from service.search_indexes where table_name = searched_table;
  select nspname into strict extension_schema
  from pg_extension
  join pg_namespace on pg_namespace.oid = extnamespace
  where extname = 'pg_trgm';
  -- The list of pending entries is kept short (in kB): each search reads all of it, and the write that
  -- fills it sorts it in. With a quarter of this, writes took a twentieth longer.
  execute format(
    'create index if not exists %I on public.%I using gin (%s) with (gin_pending_list_limit = 2048)',
    search.index_name,
    search.table_name,
    (
      select string_agg(
        format('service.fold_text(%I) %I.gin_trgm_ops', name, extension_schema), ', ' order by at
      )
      from unnest(search.columns) with ordinality as searched (name, at)
    )
  );
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.change_search_index(IN table_name text, IN index_name text, IN columns text[], IN next_name text)
 LANGUAGE plpgsql
AS $procedure$
declare
  former service.search_indexes;
  next_is_built boolean := cardinality(columns) > 0 and exists (
    select
    from pg_index
    where indexrelid = to_regclass(format('public.%I', next_name)) and indisvalid
  );
begin
  delete from service.search_indexes as one
  where one.table_name = change_search_index.table_name
  returning * into former;
  if cardinality(columns) > 0 then
    insert into service.search_indexes values (table_name, index_name, columns);
  end if;

  if next_is_built or former.columns is distinct from columns then
    execute format('drop index if exists public.%I', index_name);
  end if;
  if next_is_built then
    execute format('alter index public.%I rename to %I', next_name, index_name);
  else
    execute format('drop index if exists public.%I', next_name);
  end if;
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.change_tally(IN table_name text, IN tally_name text, IN counts jsonb)
 LANGUAGE plpgsql
AS $procedure$
declare
  former service.tallies;
  alterations text;
begin
  execute format('lock table %s in share row exclusive mode', service.table_sql(table_name));
  select * into former
  from service.tallies as one
  where one.table_name = change_tally.table_name
  for update;

  if not found then
    call service.create_slots(tally_name, '{}');
    insert into service.tallies values (table_name, tally_name, '{}', '{total}')
    returning * into former;
  elsif service.is_worn(tally_name, counts) then
    call service.remake_slots(tally_name);
    former.uncounted := array(select 'total' union all select jsonb_object_keys(counts));
  end if;

  select
    string_agg(
      case
        when wanted.value is null then format('drop column %I', key)
        else format('add column %I bigint not null default 0', key)
      end,
      ', ' order by wanted.value is null, key
    )
  into alterations
  from jsonb_each(former.counts) as kept
  full join jsonb_each(counts) as wanted using (key)
  where (kept.value is null or wanted.value is null)
    and coalesce(kept.value, wanted.value) ->> 1 is not null;
  if alterations is not null then
    execute format('alter table service.%I %s', tally_name, alterations);
  end if;

  -- A number that now means something else is corrected together with the uncounted rows.
  update service.tallies as one
  set
    counts = change_tally.counts,
    uncounted = array(
      select name
      from (
        select 'total' as name
        union all
        select jsonb_object_keys(change_tally.counts)
      ) as number
      where name = any (former.uncounted)
        or change_tally.counts -> name is distinct from former.counts -> name
      order by name
    )
  where one.table_name = change_tally.table_name;
  call service.write_tally_triggers(table_name);
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.change_trash_column(IN table_name text, IN column_name text, IN type text)
 LANGUAGE plpgsql
AS $procedure$
begin
  update service.trash
  set image = image - column_name,
      unfit = coalesce(unfit, '{}') || jsonb_build_object(column_name, image -> column_name)
  where trash.table_name = change_trash_column.table_name
    and image ->> column_name is not null
    and service.trash_value_as(image -> column_name, type) is null;
  update service.trash
  set image = image || jsonb_build_object(column_name, service.trash_value_as(image -> column_name, type))
  where trash.table_name = change_trash_column.table_name
    and image -> column_name <> service.trash_value_as(image -> column_name, type);
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.change_words(IN _table_name text, IN _definition jsonb)
 LANGUAGE plpgsql
AS $procedure$
begin
  call service.drop_words_triggers(_table_name);
  update service.word_indexes
  set definition = _definition,
    is_folded = _definition ->> 'accents' = 'ignore' and service.use_unaccent()
  where table_name = _table_name;
  call service.write_words(_table_name);
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.create_search_index(IN table_name text, IN index_name text, IN columns text[])
 LANGUAGE plpgsql
AS $procedure$
begin
  insert into service.search_indexes values (table_name, index_name, columns);
  begin
    create extension if not exists pg_trgm;
    call service.build_search_index(table_name);
  exception when insufficient_privilege or feature_not_supported or undefined_file then
    raise warning 'Searches in % read the whole table: %', table_name, sqlerrm
      using hint = 'have pg_trgm installed and run: service doctor --repair';
  end;
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.create_slots(IN tally_name text, IN counted text[])
 LANGUAGE plpgsql
AS $procedure$
declare
  number_columns text;
begin
  select coalesce(string_agg(format(', %I bigint not null default 0', name), '' order by at), '')
  into number_columns
  from unnest(counted) with ordinality as number (name, at);

  -- A slot is updated constantly: free room in its page lets old versions be removed at once.
  execute format(
    'create table service.%I (
      slot bigint generated by default as identity (minvalue 0 start 16) primary key,
      total bigint not null default 0 %s
    ) with (fillfactor = 10)',
    tally_name, number_columns
  );
  execute format('insert into service.%I (slot) select generate_series(0, 15)', tally_name);
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.create_tally(IN table_name text, IN tally_name text, IN counts jsonb)
 LANGUAGE plpgsql
AS $procedure$
begin
  call service.change_tally(table_name, tally_name, counts);
  call service.recount(table_name);
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.drop_search_index(IN table_name text)
 LANGUAGE plpgsql
AS $procedure$
declare
  index_name text;
begin
  delete from service.search_indexes as one
  where one.table_name = drop_search_index.table_name
  returning one.index_name into index_name;
  if found then
    execute format('drop index if exists public.%I', index_name);
  end if;
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.drop_tally(IN table_name text)
 LANGUAGE plpgsql
AS $procedure$
declare
  tally_name text;
  trigger_name text;
begin
  delete from service.tallies as one
  where one.table_name = drop_tally.table_name
  returning one.tally_name into tally_name;
  if not found then
    return;
  end if;

  if to_regclass(service.table_sql(table_name)) is not null then
    foreach trigger_name in array
      array['tally_insert', 'tally_update', 'tally_moves', 'tally_delete', 'tally_truncate']
    loop
      execute format('drop trigger if exists %I on %s', trigger_name, service.table_sql(table_name));
    end loop;
  end if;
  execute format('drop function service.%I()', tally_name);
  execute format('drop function if exists service.%I()', service.moves_function(tally_name));
  execute format('drop table service.%I', tally_name);
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.drop_trash_column(IN table_name text, IN column_name text)
 LANGUAGE sql
BEGIN ATOMIC
 UPDATE service.trash SET image = (trash.image - drop_trash_column.column_name), unfit = NULLIF((trash.unfit - drop_trash_column.column_name), '{}'::jsonb)
   WHERE ((trash.table_name = drop_trash_column.table_name) AND ((trash.image ? drop_trash_column.column_name) OR (trash.unfit ? drop_trash_column.column_name)));
END
;

CREATE OR REPLACE PROCEDURE service.drop_words_triggers(IN _table_name text)
 LANGUAGE plpgsql
AS $procedure$
declare
  trigger record;
begin
  for trigger in
    select tgrelid::regclass as owner, tgname as name
    from pg_trigger
    where tgfoid = (
        select to_regprocedure(format('service.%I()', words_name))
        from service.word_indexes
        where table_name = _table_name
      )
      or (
        tgfoid = 'service.index_linking()'::regprocedure
        and service.first_argument(tgargs) = _table_name
      )
  loop
    execute format('drop trigger %I on %s', trigger.name, trigger.owner);
  end loop;
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.fill_words(IN _table_name text, IN _first text, IN _last text)
 LANGUAGE plpgsql
AS $procedure$
declare
  ids text[];
begin
  execute (
    select format(
      'select array_agg(%1$I order by %1$I) from %2$s where %1$I >= $1::%3$s and %1$I <= $2::%3$s',
      id_column, service.table_sql(_table_name), id_type
    )
    from service.words_key(_table_name)
  )
  into ids
  using _first, _last;
  if ids is not null then
    perform service.index_words(_table_name, ids);
  end if;
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.fire_always(IN table_name text)
 LANGUAGE plpgsql
AS $procedure$
declare
  own regclass := service.table_sql(table_name)::regclass;
  trigger_name text;
begin
  for trigger_name in
    select tgname
    from pg_trigger
    join pg_proc on pg_proc.oid = tgfoid
    where tgrelid = own and tgenabled <> 'A' and pronamespace = 'service'::regnamespace
  loop
    execute format('alter table %s enable always trigger %I', own, trigger_name);
  end loop;
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.fire_as_tally(IN table_name text)
 LANGUAGE plpgsql
AS $procedure$
begin
  perform from pg_trigger
  where tgrelid = service.table_sql(table_name)::regclass and tgname = 'tally_insert' and tgenabled = 'A';
  if found then
    call service.fire_always(table_name);
  end if;
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.follow_changes(IN table_name text)
 LANGUAGE plpgsql
AS $procedure$
declare
  own regclass := to_regclass(format('public.%I', table_name));
begin
  if exists (
    select
    from pg_attribute
    where attrelid = own and attname = 'updated_at' and atttypid = 'timestamptz'::regtype
  ) then
    execute format(
      'create or replace trigger updated_at before update on public.%I for each row
         when (new.updated_at is not distinct from old.updated_at)
         execute function service.set_updated_at()',
      table_name
    );
  end if;
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.forbid_joint_deletes(IN entries text)
 LANGUAGE plpgsql
AS $procedure$
declare
  target regclass;
begin
  for target in
    select tgrelid from pg_trigger where tgname = service.joint_deletes_trigger(entries)
  loop
    execute format('drop trigger %I on %s', service.joint_deletes_trigger(entries), target);
  end loop;
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.forget_trash(IN table_name text)
 LANGUAGE plpgsql
AS $procedure$
begin
  perform service.empty_trash(array_agg(trash.table_name || '/' || trash.id))
  from service.trash
  where trash.table_name = forget_trash.table_name
  having count(*) > 0;
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.give_id_default(IN table_name text)
 LANGUAGE plpgsql
AS $procedure$
declare
  own regclass := to_regclass(format('public.%I', table_name));
begin
  if exists (
    select from pg_attribute
    where attrelid = own and attname = 'id' and atttypid = 'uuid'::regtype and not atthasdef
  ) then
    execute format('alter table public.%I alter column id set default service.uuid_v7()', table_name);
  end if;
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.keep_entries(IN table_name text, IN column_name text, IN entries text)
 LANGUAGE plpgsql
AS $procedure$
begin
  call service.keep_list(table_name, column_name, entries);
  execute format(
    $triggers$
      create or replace trigger entries_trash after delete on public.%1$I
        referencing old table as old_rows
        for each statement execute function service.keep_deleted_entries(%2$L);
      create or replace trigger %3$I before insert on public.%4$I
        for each row when (new.%2$I <> '{}' and current_setting('service.trash', true) = 'restore')
        execute function service.restore_list(%2$L, %1$L);
    $triggers$,
    entries, column_name, service.entries_function(entries, 'restore'), table_name
  );
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.keep_files(IN table_name text, IN column_name text, IN entries text)
 LANGUAGE plpgsql
AS $procedure$
begin
  call service.keep_list(table_name, column_name, entries);
  execute format(
    'create or replace trigger entries_files after delete on public.%I
       referencing old table as old_rows
       for each statement execute function service.keep_deleted_files()',
    entries
  );
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.keep_list(IN table_name text, IN column_name text, IN entries text)
 LANGUAGE plpgsql
AS $procedure$
declare
  list_function text := service.entries_function(entries, 'list');
  record_function text := service.entries_function(entries, 'record');
begin
  -- A role that may write the table needs no right to the entries. A writer of the list waits for
  -- other writers of the record, so the entries match the newest list. A change of the list that
  -- results from a change of its entries finds both in sync. A new record has no entries yet:
  -- looking for them took two thirds of the time.
  execute format(
    'create or replace function service.%I() returns trigger
     language plpgsql security definer set search_path = pg_catalog, pg_temp
     as %L',
    list_function,
    format(
      $body$
      begin
        if tg_op = 'INSERT' then
          insert into public.%1$I (record_id, target_id, position)
          select new.id, target_id, at
          from unnest(new.%2$I) with ordinality as listed (target_id, at);
          return null;
        end if;
        if new.%2$I = array(
          select target_id from public.%1$I where record_id = new.id order by position, target_id
        ) then
          return null;
        end if;
        with gone as (
          delete from public.%1$I where record_id = new.id and target_id <> all (new.%2$I)
        )
        insert into public.%1$I as entry (record_id, target_id, position)
        select new.id, target_id, at
        from unnest(new.%2$I) with ordinality as listed (target_id, at)
        on conflict (record_id, target_id) do update
        set position = excluded.position
        where entry.position <> excluded.position;
        return null;
      end
      $body$,
      entries, column_name
    )
  );
  execute format('revoke execute on function service.%I() from public', list_function);

  -- Records are locked before their entries are read again: two transactions may add to the same list.
  execute format(
    'create or replace function service.%I() returns trigger
     language plpgsql security definer set search_path = pg_catalog, pg_temp
     as %L',
    record_function,
    format(
      $body$
      #variable_conflict use_variable
      declare
        changed uuid[];
      begin
        if tg_op = 'TRUNCATE' then
          update public.%2$I as own set %3$I = '{}' where own.%3$I <> '{}';
          return null;
        elsif tg_op = 'INSERT' then
          changed := array(select distinct record_id from new_rows);
        elsif tg_op = 'DELETE' then
          changed := array(select distinct record_id from old_rows);
        else
          changed := array(select record_id from old_rows union select record_id from new_rows);
        end if;
        changed := array(
          select id
          from public.%2$I as own
          where id = any (changed)
            and own.%3$I <> array(
              select target_id from public.%1$I where record_id = own.id order by position, target_id
            )
        );
        if changed = '{}' then
          return null;
        end if;
        perform from public.%2$I where id = any (changed) order by id for no key update;
        update public.%2$I as own
        set %3$I = array(
          select target_id from public.%1$I where record_id = own.id order by position, target_id
        )
        where id = any (changed)
          and own.%3$I <> array(
            select target_id from public.%1$I where record_id = own.id order by position, target_id
          );
        return null;
      end
      $body$,
      entries, table_name, column_name
    )
  );
  execute format('revoke execute on function service.%I() from public', record_function);

  execute format(
    $triggers$
      create or replace trigger %4$I after insert on public.%1$I
        for each row when (new.%2$I <> '{}') execute function service.%5$I();
      create or replace trigger %6$I after update on public.%1$I
        for each row when (new.%2$I <> old.%2$I) execute function service.%5$I();
      create or replace trigger entries_insert after insert on public.%3$I
        referencing new table as new_rows
        for each statement execute function service.%7$I();
      create or replace trigger entries_update after update on public.%3$I
        referencing old table as old_rows new table as new_rows
        for each statement execute function service.%7$I();
      create or replace trigger entries_delete after delete on public.%3$I
        referencing old table as old_rows
        for each statement execute function service.%7$I();
      create or replace trigger entries_truncate after truncate on public.%3$I
        for each statement execute function service.%7$I();
    $triggers$,
    table_name, column_name, entries,
    service.entries_function(entries, 'insert'), list_function,
    service.entries_function(entries, 'update'), record_function
  );
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.leave_entries(IN table_name text, IN entries text)
 LANGUAGE plpgsql
AS $procedure$
begin
  call service.leave_list(table_name, entries);
  execute format('drop trigger %I on public.%I', service.entries_function(entries, 'restore'), table_name);
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.leave_list(IN table_name text, IN entries text)
 LANGUAGE plpgsql
AS $procedure$
declare
  one text;
begin
  call service.forbid_joint_deletes(entries);
  foreach one in array array['insert', 'update'] loop
    execute format('drop trigger %I on public.%I', service.entries_function(entries, one), table_name);
  end loop;
  foreach one in array array['entries_insert', 'entries_update', 'entries_delete', 'entries_truncate'] loop
    execute format('drop trigger %I on public.%I', one, entries);
  end loop;
  execute format('drop function service.%I()', service.entries_function(entries, 'list'));
  execute format('drop function service.%I()', service.entries_function(entries, 'record'));
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.log_changes(IN table_name text, IN resource text, IN key text DEFAULT NULL::text)
 LANGUAGE plpgsql
AS $procedure$
begin
  call service.write_change_triggers(table_name, resource, service.has_trash(table_name), key);
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.move_trashed_entries(IN table_name text, IN column_name text, IN pairs text, IN record text, IN target text)
 LANGUAGE plpgsql
AS $procedure$
declare
  target_relation regclass;
  target_table text;
  belongs boolean[];
begin
  if not service.has_trash(pairs) then
    return;
  end if;
  select max(confrelid) filter (where attname = target), max(service.table_name(confrelid)) filter (where attname = target),
    array[
      bool_or(confdeltype = 'c') filter (where attname = record),
      bool_or(confdeltype = 'c') filter (where attname = target)
    ]
  into target_relation, target_table, belongs
  from pg_constraint
  join pg_attribute on attrelid = conrelid and attnum = conkey[1]
  where conrelid = to_regclass(format('public.%I', pairs)) and contype = 'f';

  execute format(
    'insert into service.trash (table_name, id, mark, is_root, deleted_at, deleted_by, image, parents)
     select
       $3, id, mark, false, deleted_at, deleted_by,
       jsonb_build_object(
         ''id'', id, $4, record_id, $5, target_id, ''created_at'', created, ''updated_at'', created
       ),
       nullif(array_remove(array[
         case when $6[1] then $1 || ''/'' || record_id end, case when $6[2] then $7 || ''/'' || target_id end
       ], null), ''{}'')
     from (
       select service.uuid_v7() as id, mark, deleted_at, deleted_by, record_id, target_id,
         now() - interval ''1 millisecond'' * (
           count(*) over (partition by mark, record_id)
             - row_number() over (partition by mark, record_id order by place)
         ) as created
       from (
         select mark, deleted_at, deleted_by, trash.id::text as record_id, target_id, place
         from service.trash
         cross join unnest(service.elements_of(image -> $2)) with ordinality as listed (target_id, place)
         where table_name = $1
         union all
         select mark, deleted_at, deleted_by, record_id, trash.id::text, 1
         from service.trash
         cross join jsonb_array_elements(cleared) as link
         cross join jsonb_array_elements_text(link -> ''ids'') as entry (record_id)
         where table_name = $7 and link @> jsonb_build_object(''table'', $1, ''column'', $2)
       ) as entry
       where not exists (
           select from service.trash as pair
           where pair.table_name = $3
             and pair.mark = entry.mark
             and pair.image @> jsonb_build_object($4, entry.record_id, $5, entry.target_id)
         )
         and (
           exists (select from public.%1$I as own where own.id = entry.record_id::uuid)
           or exists (select from service.trash as own where own.table_name = $1 and own.id = entry.record_id::uuid)
         )
         and (
           exists (select from %2$s as linked where linked.id = entry.target_id::uuid)
           or exists (select from service.trash as linked where linked.table_name = $7 and linked.id = entry.target_id::uuid)
         )
     ) as pair',
    table_name, target_relation
  )
  using table_name, column_name, pairs, record, target, belongs, target_table;

  update service.trash
  set cleared = nullif(
    (
      select coalesce(jsonb_agg(link order by place), '[]')
      from jsonb_array_elements(cleared) with ordinality as lost (link, place)
      where not link @> jsonb_build_object(
        'table', move_trashed_entries.table_name, 'column', move_trashed_entries.column_name
      )
    ),
    '[]'
  )
  where trash.table_name = target_table
    and cleared @> jsonb_build_array(
      jsonb_build_object('table', move_trashed_entries.table_name, 'column', move_trashed_entries.column_name)
    );
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.move_trashed_pairs(IN pairs text, IN record text, IN target text, IN table_name text, IN column_name text)
 LANGUAGE plpgsql
AS $procedure$
declare
  target_table text;
begin
  select service.table_name(confrelid) into target_table
  from pg_constraint
  join pg_attribute on attrelid = conrelid and attnum = conkey[1] and attname = target
  where conrelid = to_regclass(format('public.%I', pairs)) and contype = 'f';

  update service.trash
  set image = image || jsonb_build_object(column_name, list.ids)
  from (
    select mark, record_id, jsonb_agg(target_id order by created, id) as ids
    from (
      select distinct on (mark, image ->> record, image ->> target)
        mark, id, image ->> record as record_id, image ->> target as target_id,
        (image ->> 'created_at')::timestamptz as created
      from service.trash
      where trash.table_name = pairs
      order by mark, image ->> record, image ->> target, created, id
    ) as pair
    group by mark, record_id
  ) as list
  where trash.table_name = move_trashed_pairs.table_name
    and trash.id = list.record_id::uuid
    and trash.mark = list.mark;

  -- A pair is positioned after those created before it.
  execute format(
    'update service.trash
     set cleared = coalesce(cleared, ''[]'') || jsonb_build_object(
       ''table'', $4, ''column'', $5, ''ids'', lost.ids, ''positions'', lost.positions
     )
     from (
       select mark, target_id, jsonb_agg(record_id order by record_id) as ids,
         jsonb_agg(
           1 + (
             select count(distinct %2$I) from public.%1$I where %3$I = pair.record_id::uuid and created_at < pair.created
           )
           order by record_id
         ) as positions
       from (
         select mark, image ->> $3 as target_id, image ->> $2 as record_id,
           min((image ->> ''created_at'')::timestamptz) as created
         from service.trash
         where table_name = $1
         group by 1, 2, 3
       ) as pair
       where not exists (
         select from service.trash as own
         where own.table_name = $4 and own.id = pair.record_id::uuid and own.mark = pair.mark
       )
       group by mark, target_id
     ) as lost
     where trash.table_name = $6 and trash.id = lost.target_id::uuid and trash.mark = lost.mark',
    pairs, target, record
  )
  using pairs, record, target, table_name, column_name, target_table;
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.name_not_nulls(IN table_name text)
 LANGUAGE plpgsql
AS $procedure$
begin
  call service.name_not_nulls_of(format('public.%I', table_name)::regclass);
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.name_not_nulls_of(IN relation regclass)
 LANGUAGE plpgsql
AS $procedure$
declare
  not_null record;
begin
  if not exists (
    select
    from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where conrelid = relation
      and contype = 'n'
      and conname <> service.name_given(relation, attname, 'not_null', conname)
  ) then
    return;
  end if;

  -- Two constraints that swap names pass through unused ones.
  for not_null in
    select oid, conname from pg_constraint where conrelid = relation and contype = 'n'
  loop
    execute format(
      'alter table %s rename constraint %I to %I',
      relation, not_null.conname, 'not_null_' || not_null.oid
    );
  end loop;
  for not_null in
    select conname, attname
    from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where conrelid = relation and contype = 'n'
    order by attnum
  loop
    execute format(
      'alter table %s rename constraint %I to %I',
      relation,
      not_null.conname,
      service.name_given(relation, not_null.attname, 'not_null', not_null.conname)
    );
  end loop;
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.recount(IN counted_table text)
 LANGUAGE plpgsql
AS $procedure$
declare
  tally service.tallies;
  names text;
  numbers text;
begin
  execute format('lock table %s in share row exclusive mode', service.table_sql(counted_table));
  update service.tallies set uncounted = '{}' where table_name = counted_table
  returning * into strict tally;
  select
    coalesce(string_agg(format(', %I', key), '' order by key), ''),
    coalesce(
      string_agg(
        format(', count(*) filter (where %I = %L)', value ->> 0, value ->> 1), '' order by key
      ),
      ''
    )
  into names, numbers
  from jsonb_each(tally.counts)
  where value ->> 1 is not null;

  execute format('delete from service.%I', tally.tally_name);
  execute format(
    'insert into service.%I (slot, total%s) select 0, count(*)%s from %s',
    tally.tally_name, names, numbers, service.table_sql(counted_table)
  );
  execute format('insert into service.%I (slot) select generate_series(1, 15)', tally.tally_name);

  delete from service.owner_counts as kept where kept.table_name = counted_table;
  if tally.counts ? 'owner' then
    execute format(
      'insert into service.owner_counts (owner, table_name, slot, total)
       select %1$I, %2$L, 0, count(*) from %3$s group by %1$I',
      tally.counts -> 'owner' ->> 0, counted_table, service.table_sql(counted_table)
    );
  end if;
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.refill_words(IN _table_name text)
 LANGUAGE plpgsql
AS $procedure$
declare
  name text;
  next text;
  ids text[];
  indexed text;
begin
  select words_name into strict name from service.word_indexes where table_name = _table_name;
  execute format('truncate service.%I', name);
  select format(
    'select array_agg(%1$I order by %1$I) from (
       select %1$I from %2$s where $1 is null or %1$I > $1::%3$s order by %1$I limit 1000
     ) as rows',
    id_column, service.table_sql(_table_name), id_type
  )
  into next
  from service.words_key(_table_name);
  loop
    execute next into ids using indexed;
    exit when ids is null;
    perform service.index_words(_table_name, ids);
    indexed := ids[cardinality(ids)];
  end loop;
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.remake_slots(IN tally_name text)
 LANGUAGE plpgsql
AS $procedure$
declare
  former pg_class;
  names text[];
  sums text;
  numbers jsonb;
  privilege record;
begin
  select * into strict former from pg_class where oid = format('service.%I', tally_name)::regclass;
  select
    coalesce(array_agg(attname::text order by attnum) filter (where attname <> 'total'), '{}'),
    string_agg(format('coalesce(sum(%I), 0) as %1$I', attname), ', ')
  into names, sums
  from pg_attribute
  where attrelid = former.oid and attnum > 0 and not attisdropped and attname <> 'slot';
  execute format(
    'select to_jsonb(sums) from (select %s from service.%I) as sums', sums, tally_name
  )
  into strict numbers;

  execute format('drop table service.%I', tally_name);
  call service.create_slots(tally_name, names);
  execute format(
    'update service.%I set %s where slot = 0',
    tally_name,
    (select string_agg(format('%I = %L', key, value), ', ') from jsonb_each_text(numbers))
  );
  execute format('alter table service.%I owner to %s', tally_name, former.relowner::regrole);
  for privilege in
    select
      privilege_type,
      case grantee when 0 then 'public' else grantee::regrole::text end as reader,
      case when is_grantable then 'with grant option' else '' end as option
    from aclexplode(former.relacl)
  loop
    execute format(
      'grant %s on service.%I to %s %s',
      privilege.privilege_type, tally_name, privilege.reader, privilege.option
    );
  end loop;
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.rename_counts(IN table_name text, IN former_column text, IN column_name text, IN renamed jsonb)
 LANGUAGE plpgsql
AS $procedure$
declare
  tally service.tallies;
  former_name text;
  new_name text;
begin
  select * into strict tally
  from service.tallies as one
  where one.table_name = rename_counts.table_name
  for update;
  for former_name, new_name in select key, value from jsonb_each_text(renamed) loop
    execute format(
      'alter table service.%I rename column %I to %I', tally.tally_name, former_name, new_name
    );
  end loop;

  update service.tallies as one
  set
    counts = (
      select
        coalesce(
          jsonb_object_agg(
            coalesce(renamed ->> key, key),
            case value ->> 0
              when former_column then jsonb_build_array(column_name, value -> 1)
              else value
            end
          ),
          '{}'
        )
      from jsonb_each(tally.counts)
    ),
    uncounted = array(
      select coalesce(renamed ->> name, name)
      from unnest(tally.uncounted) as name
      order by 1
    )
  where one.table_name = rename_counts.table_name;
  call service.name_not_nulls_of(format('service.%I', tally.tally_name)::regclass);
  call service.write_tally_triggers(table_name);
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.rename_logged(IN former text, IN resource text)
 LANGUAGE sql
BEGIN ATOMIC
 UPDATE service.changes_new SET resource = rename_logged.resource
   WHERE (changes_new.resource = rename_logged.former);
 UPDATE service.changes SET resource = rename_logged.resource
   WHERE (changes.resource = rename_logged.former);
 UPDATE service.change_histories SET resource = rename_logged.resource
   WHERE (change_histories.resource = rename_logged.former);
 UPDATE service.webhooks SET events = ARRAY( SELECT
                 CASE
                     WHEN (split_part(named.event, '.'::text, 1) = rename_logged.former) THEN ((rename_logged.resource || '.'::text) || split_part(named.event, '.'::text, 2))
                     ELSE named.event
                 END AS event
            FROM unnest(webhooks.events) WITH ORDINALITY named(event, place)
           ORDER BY named.place)
   WHERE (EXISTS ( SELECT
            FROM unnest(webhooks.events) event(event)
           WHERE (split_part(event.event, '.'::text, 1) = rename_logged.former)));
END
;

CREATE OR REPLACE PROCEDURE service.rename_search_index(IN former_table text, IN table_name text, IN index_name text)
 LANGUAGE plpgsql
AS $procedure$
declare
  former_name text;
begin
  select one.index_name into strict former_name
  from service.search_indexes as one
  where one.table_name = former_table
  for update;
  update service.search_indexes as one
  set table_name = rename_search_index.table_name, index_name = rename_search_index.index_name
  where one.table_name = former_table;
  if former_name <> index_name then
    execute format('alter index if exists public.%I rename to %I', former_name, index_name);
  end if;
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.rename_searched_column(IN table_name text, IN former_column text, IN column_name text)
 LANGUAGE sql
BEGIN ATOMIC
 UPDATE service.search_indexes one SET columns = array_replace(one.columns, rename_searched_column.former_column, rename_searched_column.column_name)
   WHERE (one.table_name = rename_searched_column.table_name);
END
;

CREATE OR REPLACE PROCEDURE service.rename_tally(IN former_table text, IN table_name text, IN tally_name text)
 LANGUAGE plpgsql
AS $procedure$
declare
  former_name text;
  tally regclass;
  key_name text;
  key_given text;
  sequence_name text;
  sequence_given text;
begin
  select one.tally_name into strict former_name
  from service.tallies as one
  where one.table_name = former_table
  for update;
  update service.tallies as one
  set table_name = rename_tally.table_name, tally_name = rename_tally.tally_name
  where one.table_name = former_table;

  if former_name <> tally_name then
    execute format('alter table service.%I rename to %I', former_name, tally_name);
    execute format('alter function service.%I() rename to %I', former_name, tally_name);
    if to_regproc(format('service.%I', service.moves_function(former_name))) is not null then
      execute format(
        'alter function service.%I() rename to %I',
        service.moves_function(former_name), service.moves_function(tally_name)
      );
    end if;
    tally := format('service.%I', tally_name)::regclass;
    select conname into strict key_name
    from pg_constraint
    where conrelid = tally and contype = 'p';
    key_given := service.name_given(tally, null, 'pkey', key_name);
    if key_given <> key_name then
      execute format('alter table %s rename constraint %I to %I', tally, key_name, key_given);
    end if;
    select relname into strict sequence_name
    from pg_class
    where oid = pg_get_serial_sequence(tally::text, 'slot')::regclass;
    sequence_given := service.name_given(tally, 'slot', 'seq', sequence_name);
    if sequence_given <> sequence_name then
      execute format('alter sequence service.%I rename to %I', sequence_name, sequence_given);
    end if;
    call service.name_not_nulls_of(tally);
  end if;
  call service.write_tally_triggers(table_name);
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.rename_trash(IN former text, IN table_name text)
 LANGUAGE plpgsql
AS $procedure$
begin
  update service.trash
  set parents = array(
    select case when left(parent, -37) = former then rename_trash.table_name || right(parent, 37) else parent end
    from unnest(parents) as parent
  )
  where exists (select from unnest(parents) as parent where left(parent, -37) = former);
  update service.trash
  set cleared = (
    select jsonb_agg(
      case when link ->> 'table' = former then link || jsonb_build_object('table', rename_trash.table_name) else link end
    )
    from jsonb_array_elements(cleared) as link
  )
  where cleared @> jsonb_build_array(jsonb_build_object('table', former));
  update service.trash
  set table_name = rename_trash.table_name
  where trash.table_name = former;
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.rename_trash_column(IN table_name text, IN former text, IN column_name text)
 LANGUAGE plpgsql
AS $procedure$
begin
  update service.trash
  set image = (image - former) || jsonb_build_object(column_name, image -> former)
  where trash.table_name = rename_trash_column.table_name and image ? former;
  update service.trash
  set unfit = (unfit - former) || jsonb_build_object(column_name, unfit -> former)
  where trash.table_name = rename_trash_column.table_name and unfit ? former;
  update service.trash
  set cleared = (
    select jsonb_agg(
      case
        when link @> jsonb_build_object('table', rename_trash_column.table_name, 'column', former)
        then link || jsonb_build_object('column', column_name)
        else link
      end
    )
    from jsonb_array_elements(cleared) as link
  )
  where cleared @> jsonb_build_array(
    jsonb_build_object('table', rename_trash_column.table_name, 'column', former)
  );
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.rename_trash_value(IN table_name text, IN column_name text, IN former text, IN value text)
 LANGUAGE plpgsql
AS $procedure$
begin
  update service.trash
  set image = image || jsonb_build_object(column_name, value)
  where trash.table_name = rename_trash_value.table_name and image ->> column_name = former;
  -- If two values are merged, a list that has both keeps one.
  update service.trash
  set image = image || jsonb_build_object(
    column_name,
    (
      select jsonb_agg(case when element = former then value else element end order by place)
      from jsonb_array_elements_text(image -> column_name) with ordinality as list (element, place)
      where element <> former or not (image -> column_name ? value)
    )
  )
  where trash.table_name = rename_trash_value.table_name
    and jsonb_typeof(image -> column_name) = 'array'
    and image -> column_name ? former;
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.rename_words(IN former_table text, IN _table_name text, IN _words_name text, IN _definition jsonb)
 LANGUAGE plpgsql
AS $procedure$
declare
  former service.word_indexes;
begin
  call service.drop_words_triggers(former_table);
  select * into strict former from service.word_indexes where table_name = former_table for update;
  if former.words_name <> _words_name then
    execute format('drop function if exists service.%1$I(), service.%1$I(text[])', former.words_name);
    execute format('alter table service.%I rename to %I', former.words_name, _words_name);
    execute format(
      'alter index if exists service.%I rename to %I', former.words_name || '_pkey', _words_name || '_pkey'
    );
  end if;
  update service.word_indexes
  set table_name = _table_name, words_name = _words_name, definition = _definition
  where table_name = former_table;
  update service.word_changes set table_name = _table_name where table_name = former_table;
  call service.write_words(_table_name);
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.start_trash(IN table_name text, IN key text DEFAULT NULL::text)
 LANGUAGE plpgsql
AS $procedure$
begin
  call service.write_change_triggers(table_name, service.logged_as(table_name), true, key);
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.start_words(IN table_name text, IN words_name text, IN definition jsonb)
 LANGUAGE plpgsql
AS $procedure$
begin
  execute format(
    'create table service.%I (id %s primary key, vector tsvector not null)',
    words_name, (service.column_type(table_name, coalesce(definition ->> 'id', 'id'))).definition
  );
  insert into service.word_indexes
  values (table_name, words_name, definition, definition ->> 'accents' = 'ignore' and service.use_unaccent());
  call service.write_words(table_name);
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.stop_log(IN table_name text)
 LANGUAGE plpgsql
AS $procedure$
declare
  key text := service.logged_key(table_name);
begin
  execute format('drop trigger change_log on %s', service.table_sql(table_name));
  execute format('drop trigger change_log_truncate on %s', service.table_sql(table_name));
  call service.write_change_triggers(table_name, null, service.has_trash(table_name), key);
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.stop_trash(IN table_name text)
 LANGUAGE plpgsql
AS $procedure$
declare
  key text := service.logged_key(table_name);
begin
  execute format('drop trigger if exists "A_trash" on %s', service.table_sql(table_name));
  call service.write_change_triggers(table_name, service.logged_as(table_name), false, key);
  call service.forget_trash(table_name);
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.stop_words(IN _table_name text)
 LANGUAGE plpgsql
AS $procedure$
declare
  former service.word_indexes;
begin
  call service.drop_words_triggers(_table_name);
  delete from service.word_indexes where table_name = _table_name returning * into former;
  if found then
    delete from service.word_changes where table_name = _table_name;
    execute format('drop function if exists service.%1$I(), service.%1$I(text[])', former.words_name);
    execute format('drop table if exists service.%I', former.words_name);
  end if;
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.store_nfc(IN table_name text, IN columns text[], IN first_id uuid, IN last_id uuid)
 LANGUAGE plpgsql
AS $procedure$
declare
  own regclass := format('public.%I', table_name);
  rows_of text := format('update %s set %%s where id between $1 and $2 and %%s', own);
  last_change bigint := (select last_value from service.changes_new_seq_seq);
  one uuid;
  name text;
begin
  begin
    execute format(
      rows_of,
      (select string_agg(format('%1$I = service.nfc(%1$I)', one_name), ', ') from unnest(columns) as one_name),
      (select format('(%s)', string_agg(service.not_nfc(one_name), ' or ')) from unnest(columns) as one_name)
    ) using first_id, last_id;
  exception when integrity_constraint_violation or raise_exception then
    foreach name in array columns loop
      for one in execute
        format('select id from %s where id between $1 and $2 and %s order by id', own, service.not_nfc(name))
        using first_id, last_id
      loop
        begin
          execute format(rows_of, format('%1$I = service.nfc(%1$I)', name), 'true') using one, one;
        exception when integrity_constraint_violation or raise_exception then
          -- It is named once all batches are done.
        end;
      end loop;
    end loop;
  end;

  -- Nobody has seen them: they were made in this transaction.
  delete from service.changes_new
  where seq >= last_change and tx = pg_current_xact_id() and op = 'update'
    and resource in (
      select split_part(encode(tgargs, 'escape'), '\000', 1)
      from pg_trigger
      where tgrelid = own and tgname = 'change_log'
    );
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.warn_of_texts(IN table_name text, IN columns text[])
 LANGUAGE plpgsql
AS $procedure$
declare
  own regclass := format('public.%I', table_name);
  name text;
  left_over record;
  others uuid[];
begin
  foreach name in array columns loop
    for left_over in execute format(
      'select id, count(*) over () as total, row_number() over (order by id) as place
       from %s where %s order by id limit 21', own, service.not_nfc(name)
    ) loop
      if left_over.place > 20 then
        raise warning '%.%: % more texts stay as they are, not in Unicode NFC',
          table_name, name, left_over.total - 20;
        exit;
      end if;
      execute (
        select format(
          'select array_agg(other.id order by other.id) from %1$s as own join %1$s as other on other.id <> own.id and (%2$s) where own.id = $1',
          own,
          coalesce(string_agg(same, ' or '), 'false')
        )
        from (
          select format(
            '(%s)',
            string_agg(
              case
                when attname = name then format('other.%1$I = service.nfc(own.%1$I)', attname)
                else format('other.%1$I = own.%1$I', attname)
              end,
              ' and '
            )
          ) as same
          from pg_index
          join pg_depend on classid = 'pg_class'::regclass and objid = indexrelid
            and refclassid = 'pg_class'::regclass and refobjid = indrelid and refobjsubid > 0
          join pg_attribute on attrelid = indrelid and attnum = refobjsubid
          where indrelid = own and indisunique
          group by indexrelid
          having bool_or(attname = name)
        ) as by_index
      ) into others using left_over.id;
      if others is null then
        raise warning '%.% of % stays as it is, not in Unicode NFC: the table refuses the other form',
          table_name, name, left_over.id;
      else
        raise warning '%.% of % stays as it is: in Unicode NFC it would be that of %',
          table_name, name, left_over.id, array_to_string(others, ', ');
      end if;
    end loop;
  end loop;
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.write_change_triggers(IN table_name text, IN resource text, IN is_kept boolean, IN key text)
 LANGUAGE plpgsql
AS $procedure$
begin
  if is_kept then
    execute format(
      'create or replace trigger "A_trash" after delete on %s
         referencing old table as old_rows
         for each row execute function service.%s',
      service.table_sql(table_name),
      case
        when key is null then format('keep_deleted(%s)', coalesce(quote_literal(resource), ''))
        else format('keep_keyed(%L, %L, %L)', coalesce(resource, ''), key, service.key_kind(table_name, key))
      end
    );
  end if;
  if resource is not null then
    execute format(
      'create or replace trigger change_log after %s on %s
         for each row execute function service.%s',
      case when is_kept then 'insert or update' else 'insert or update or delete' end,
      service.table_sql(table_name),
      case
        when key is null then format('log_change(%L)', resource)
        else format('log_keyed_change(%L, %L, %L)', resource, key, service.key_kind(table_name, key))
      end
    );
    execute format(
      'create or replace trigger change_log_truncate after truncate on %s
         for each statement execute function service.log_change(%L)',
      service.table_sql(table_name), resource
    );
  end if;
  call service.fire_as_tally(table_name);
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.write_tally_function(IN counted_table text)
 LANGUAGE plpgsql
AS $procedure$
declare
  tally service.tallies;
  names text;
  sums text;
  changes text;
  moved text;
  added text;
  given text;
  zeros text;
  new_values text;
  old_values text;
  source text;
  owned_by text;
  statements text[] := '{}';
  owned text[] := '{}';
begin
  select * into strict tally from service.tallies where table_name = counted_table;
  owned_by := tally.counts -> 'owner' ->> 0;

  -- A column may have the name of a plpgsql variable, so the values get separate names.
  select
    coalesce(string_agg(distinct format('new_rows.%I as %I, ', name, 'v_' || md5(name)), ''), ''),
    coalesce(string_agg(distinct format('old_rows.%I as %I, ', name, 'v_' || md5(name)), ''), '')
  into new_values, old_values
  from (
    select value ->> 0 as name
    from jsonb_each(tally.counts)
    where value ->> 1 is not null
  ) as counted;

  select
    string_agg(format('%I', name), ', '),
    string_agg(format('%s as %I', sum, name), ', '),
    string_agg(format('_change.%I <> 0', name), ' or '),
    string_agg(format('%1$I = slot.%1$I + _change.%1$I', name), ', '),
    string_agg(format('_change.%I', name), ', '),
    string_agg(format('%I = 0', name), ', ')
  into names, sums, changes, added, given, zeros
  from (
    select 'total' as name, 'coalesce(sum(changed._sign), 0)' as sum
    union all
    select
      key,
      format(
        'coalesce(sum(changed._sign) filter (where changed.%I = %L), 0)',
        'v_' || md5(value ->> 0), value ->> 1
      )
    from jsonb_each(tally.counts)
    where value ->> 1 is not null
  ) as number;

  -- A statement that changes no number does not touch the slots.
  foreach source in array array[
    format('select %s 1 as _sign from new_rows', new_values),
    format(
      'select %s 1 as _sign from new_rows union all select %s -1 from old_rows',
      new_values, old_values
    ),
    format('select %s -1 as _sign from old_rows', old_values)
  ] loop
    statements := statements || format(
      $count$
        select %2$s into _change from (%7$s) as changed;
        if %3$s then
          _free := case
            when pg_try_advisory_xact_lock(tg_relid::int, mod(pg_backend_pid(), 16))
            then mod(pg_backend_pid(), 16)
            else (
              select slot.slot
              from service.%1$I as slot
              where pg_try_advisory_xact_lock(tg_relid::int, slot.slot::int)
              limit 1
            )
          end;
          update service.%1$I as slot set %4$s where slot.slot = _free;
          if not found then
            insert into service.%1$I (%5$s) values (%6$s);
          end if;
        end if;$count$,
      tally.tally_name, sums, changes, added, names, given, source
    );
  end loop;

  -- After the slots: where no slot was free, the one that was added is claimed.
  if owned_by is not null then
    foreach source in array array[
      format('select new_rows.%I as _owner, 1 as _sign from new_rows', owned_by),
      format(
        'select new_rows.%1$I as _owner, 1 as _sign from new_rows
         union all select old_rows.%1$I, -1 from old_rows',
        owned_by
      ),
      format('select old_rows.%I as _owner, -1 as _sign from old_rows', owned_by)
    ] loop
      owned := owned || format(
        $upsert$
          insert into service.owner_counts as kept (owner, table_name, slot, total)
          select
            moved._owner,
            %2$L,
            case
              when pg_try_advisory_xact_lock(tg_relid::int, mod(pg_backend_pid(), 16))
              then mod(pg_backend_pid(), 16)
              else coalesce(
                (
                  select slot
                  from service.%1$I
                  where pg_try_advisory_xact_lock(tg_relid::int, slot::int)
                  limit 1
                ),
                - pg_current_xact_id()::text::bigint
              )
            end,
            moved._total
          from (
            select changed._owner, sum(changed._sign) as _total
            from (%3$s) as changed
            group by changed._owner
            having sum(changed._sign) <> 0
          ) as moved
          on conflict (owner, table_name, slot)
          do update set total = kept.total + excluded.total;$upsert$,
        tally.tally_name, tally.table_name, source
      );
    end loop;
  end if;

  -- A role that may write the table needs no right to its tally.
  execute format(
    'create or replace function service.%I() returns trigger
     language plpgsql security definer set search_path = pg_catalog, pg_temp
     as %L',
    tally.tally_name,
    format(
      $body$
      declare
        _change record;
        _free bigint;
      begin
        if tg_op = 'INSERT' then %s %s
        elsif tg_op = 'UPDATE' then
          if current_setting('service.tally_moves', true) = 'true' then %s %s end if;
        elsif tg_op = 'DELETE' then %s %s
        else
          update service.tallies set uncounted = '{}' where table_name = %L;
          update service.%I set %s;
          %s
        end if;
        return null;
      end
      $body$,
      statements[1], coalesce(owned[1], ''), statements[2], coalesce(owned[2], ''),
      statements[3], coalesce(owned[3], ''), tally.table_name, tally.tally_name, zeros,
      case
        when owned_by is null then ''
        else format('delete from service.owner_counts where table_name = %L;', tally.table_name)
      end
    )
  );
  execute format('revoke execute on function service.%I() from public', tally.tally_name);

  -- Tells the function above that a counted value has changed. What it says is true until the transaction ends: a
  -- trigger of the app's own may update the table before the function is called.
  select string_agg(distinct format('old.%1$I is distinct from new.%1$I', value ->> 0), ' or ')
  into moved
  from jsonb_each(tally.counts);
  if moved is null then
    return;
  end if;
  execute format(
    'create or replace function service.%I() returns trigger language plpgsql as %L',
    service.moves_function(tally.tally_name),
    format(
      $body$
      begin
        if %s then
          perform pg_catalog.set_config('service.tally_moves', 'true', true);
        end if;
        return null;
      end
      $body$,
      moved
    )
  );
  execute format(
    'revoke execute on function service.%I() from public',
    service.moves_function(tally.tally_name)
  );
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.write_tally_triggers(IN counted_table text)
 LANGUAGE plpgsql
AS $procedure$
declare
  own text := service.table_sql(counted_table);
  tally service.tallies;
  trigger_name text;
begin
  call service.write_tally_function(counted_table);
  select * into strict tally from service.tallies where table_name = counted_table;
  execute format(
    $triggers$
      create or replace trigger tally_insert after insert on %1$s
        referencing new table as new_rows
        for each statement execute function service.%2$I();
      create or replace trigger tally_delete after delete on %1$s
        referencing old table as old_rows
        for each statement execute function service.%2$I();
      create or replace trigger tally_truncate after truncate on %1$s
        for each statement execute function service.%2$I();
    $triggers$,
    own, tally.tally_name
  );

  if tally.counts <> '{}' then
    execute format(
      $triggers$
        create or replace trigger tally_moves after update on %1$s
          for each row execute function service.%3$I();
        create or replace trigger tally_update after update on %1$s
          referencing old table as old_rows new table as new_rows
          for each statement execute function service.%2$I();
      $triggers$,
      own, tally.tally_name, service.moves_function(tally.tally_name)
    );
    return;
  end if;
  -- `drop … if exists` would wait for readers also where there is none.
  for trigger_name in
    select tgname
    from pg_trigger
    where tgrelid = own::regclass
      and tgname in ('tally_moves', 'tally_update')
  loop
    execute format('drop trigger %I on %s', trigger_name, own);
  end loop;
  execute format(
    'drop function if exists service.%I()', service.moves_function(tally.tally_name)
  );
end
$procedure$
;

CREATE OR REPLACE PROCEDURE service.write_words(IN _table_name text)
 LANGUAGE plpgsql
AS $procedure$
declare
  index service.word_indexes;
  id_column text;
  id_type text;
  vector text;
  compared text;
  link record;
begin
  select * into strict index from service.word_indexes where table_name = _table_name;
  id_column := coalesce(index.definition ->> 'id', 'id');
  id_type := (service.column_type(_table_name, id_column)).type;
  vector := service.vector_sql(index);
  execute format(
    'create or replace function service.%I() returns trigger
     language plpgsql security definer set search_path = pg_catalog, pg_temp
     as %L',
    index.words_name,
    format(
      $body$
      begin
        if tg_op in ('INSERT', 'UPDATE') then
          insert into service.%1$I (id, vector)
          values (new.%3$I, %2$s)
          on conflict (id) do update set vector = excluded.vector;
        end if;
        if tg_op = 'TRUNCATE' then
          truncate service.%1$I;
        elsif tg_op = 'DELETE' or tg_op = 'UPDATE' and new.%3$I <> old.%3$I then
          delete from service.%1$I where id = old.%3$I;
        end if;
        return null;
      end
      $body$,
      -- A changed link waits for a change of the record that it leads to.
      index.words_name, replace(vector, '/* lock */', 'for share'), id_column
    )
  );
  -- Existing index entries are locked before their records are read: a concurrent change comes entirely before or after.
  execute format(
    'create or replace function service.%I(_ids text[]) returns void
     language plpgsql security definer set search_path = pg_catalog, pg_temp
     as %L',
    index.words_name,
    format(
      $body$
      #variable_conflict use_variable
      declare
        ids constant %5$s[] := _ids::%5$s[];
        added %5$s[];
      begin
        with added as (
          insert into service.%1$I (id, vector)
          select new.%4$I, %2$s
          from (
            select *
            from %3$s as own
            where %4$I = any (ids) and not exists (select from service.%1$I as words where words.id = own.%4$I)
            for key share
          ) as new
          on conflict do nothing
          returning id
        )
        select array_agg(id) into added from added;
        if cardinality(added) = cardinality(ids) then
          return;
        end if;
        perform from service.%1$I where id = any (ids) and id <> all (coalesce(added, '{}')) order by id for update;
        update service.%1$I as words
        set vector = made.vector
        from (
          select new.%4$I as id, %2$s as vector
          from %3$s as new
          where %4$I = any (ids) and %4$I <> all (coalesce(added, '{}'))
        ) as made
        where words.id = made.id and words.vector is distinct from made.vector;
      end
      $body$,
      index.words_name, vector, service.table_sql(_table_name), id_column, id_type
    )
  );
  execute format(
    'revoke execute on function service.%1$I(), service.%1$I(text[]) from public', index.words_name
  );
  select string_agg(format('old.%1$I is distinct from new.%1$I', name), ' or ' order by name collate "C") into compared
  from (
    select coalesce(field -> 'link' ->> 'column', field ->> 'column') as name
    from jsonb_array_elements(index.definition -> 'fields') as field
    union
    select id_column
    union
    select index.definition ->> 'languageColumn' where index.definition ->> 'languageColumn' is not null
  ) as compared;
  execute format(
    $triggers$
      create trigger words_insert after insert on %1$s
        for each row execute function service.%2$I();
      create trigger words_update after update on %1$s
        for each row when (%3$s) execute function service.%2$I();
      create trigger words_delete after delete on %1$s
        for each row execute function service.%2$I();
      create trigger words_truncate after truncate on %1$s
        for each statement execute function service.%2$I();
    $triggers$,
    service.table_sql(_table_name), index.words_name, compared
  );
  call service.fire_as_tally(_table_name);
  for link in
    select
      field -> 'link' ->> 'trigger' as name,
      field -> 'link' ->> 'table' as target,
      field -> 'link' ->> 'column' as link_column,
      field -> 'link' ->> 'id' as target_id,
      string_agg(
        distinct format('old.%1$I is distinct from new.%1$I', field ->> 'column') collate "C", ' or '
      ) as compared
    from jsonb_array_elements(index.definition -> 'fields') as field
    where jsonb_typeof(field -> 'link') = 'object'
    group by 1, 2, 3, 4
  loop
    execute format(
      $trigger$
        create trigger %I after update on %s
          for each row when (%s) execute function service.index_linking(%L, %L%s)
      $trigger$,
      link.name, service.table_sql(link.target), link.compared, _table_name, link.link_column,
      ', ' || quote_literal(link.target_id)
    );
    call service.fire_as_tally(link.target);
  end loop;
end
$procedure$
;
