-- Addresses that accounts are being changed to: one each, with the code and the link that were mailed to it.
create table service.email_changes (
  user_id uuid not null,
  -- The new address, normalized. If it is taken the row is the same, but nothing matches its digests.
  email text collate "C" not null,
  -- HMAC of the six digits, bound to the account and the address.
  code_digest bytea not null,
  -- SHA-256 of the link's token.
  token_hash bytea not null,
  tries smallint not null default 0,
  expires_at timestamptz(3) not null,
  constraint email_changes_pkey primary key (user_id),
  constraint email_changes_user_id_fkey foreign key (user_id)
    references service.users (id) on delete cascade,
  constraint email_changes_token_hash_key unique (token_hash)
);

create index email_changes_expires_at_idx on service.email_changes (expires_at);
