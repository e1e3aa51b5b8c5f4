-- Sign-in with providers: who accounts are there, and what such a sign-in leaves behind for minutes.

create table service.identities (
  id uuid not null,
  user_id uuid not null,
  -- The provider's name in the configuration, which may be gone.
  provider text collate "C" not null,
  -- The provider's own identifiers: an address may change hands, these do not.
  issuer text collate "C" not null,
  subject text collate "C" not null,
  -- What the provider last said, for people to recognise it by. Nothing is decided by it.
  email text collate "C",
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  constraint identities_pkey primary key (id),
  constraint identities_user_id_fkey foreign key (user_id)
    references service.users (id) on delete cascade,
  constraint identities_issuer_subject_key unique (issuer, subject),
  constraint identities_user_id_provider_key unique (user_id, provider),
  constraint identities_provider_length check (char_length(provider) between 1 and 63),
  constraint identities_issuer_length check (char_length(issuer) between 1 and 2000),
  constraint identities_subject_length check (char_length(subject) between 1 and 255)
);

-- Sign-ins that are at the provider.
create table service.provider_states (
  -- SHA-256 of the state.
  state_hash bytea not null,
  provider text collate "C" not null,
  -- SHA-256 of the nonce, which is derived from the state.
  nonce_hash bytea not null,
  -- S256 of a secret that only the client knows that began.
  challenge text collate "C" not null,
  return_to text not null,
  expires_at timestamptz(3) not null,
  constraint provider_states_pkey primary key (state_hash)
);

create index provider_states_expires_at_idx on service.provider_states (expires_at);

-- Sign-ins that are back from the provider, and wait for the client that began.
create table service.provider_tickets (
  -- SHA-256 of the ticket.
  ticket_hash bytea not null,
  provider text collate "C" not null,
  challenge text collate "C" not null,
  -- Who it is.
  profile jsonb not null,
  expires_at timestamptz(3) not null,
  constraint provider_tickets_pkey primary key (ticket_hash)
);

create index provider_tickets_expires_at_idx on service.provider_tickets (expires_at);

-- ID tokens of native apps that were taken, until they expire.
create table service.provider_tokens (
  -- SHA-256 of what the provider signed.
  token_hash bytea not null,
  expires_at timestamptz(3) not null,
  constraint provider_tokens_pkey primary key (token_hash)
);

create index provider_tokens_expires_at_idx on service.provider_tokens (expires_at);

alter table service.challenges
  drop constraint challenges_proof_known,
  add constraint challenges_proof_known
    check (proof in ('password', 'magic-link', 'email-code', 'provider'));
