-- The front ends of passkeys: each ceremony belongs to a site, and each passkey to a host.

alter table service.passkey_challenges
  -- A name of `auth.sites`, or `default`.
  add column site text collate "C" not null default 'default';

alter table service.passkeys
  -- The host that it was made for; null: before hosts were stored, when only its authenticator knew it.
  add column rp_id text collate "C";
