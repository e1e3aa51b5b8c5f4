-- The identity that opened a session: the session ends when the provider reports a sign-out.

alter table service.sessions
  -- Null for sign-ins without a provider. The identity may be unlinked meanwhile.
  add column identity_id uuid,
  -- No use extends the session beyond this; null: `expires_at` alone counts.
  add column latest_end timestamptz(3);

create index sessions_identity_id_idx on service.sessions (identity_id) where identity_id is not null;

-- For accounts with several identities it is not known which one it was.
update service.sessions s
set identity_id = i.id
from service.identities i
where i.user_id = s.user_id
  and s.proofs && array['provider', 'trusted-provider', 'vouched-address'] collate "C"
  and not exists (
    select
    from service.identities o
    where o.user_id = i.user_id
      and o.id <> i.id
  );
