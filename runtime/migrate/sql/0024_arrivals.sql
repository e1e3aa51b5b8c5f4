-- What a sign-in with a provider does to an account once its second step is passed.

alter table service.challenges
  -- Who it is at the provider; null for sign-ins without one.
  add column arrival jsonb,
  drop constraint challenges_proof_known,
  add constraint challenges_proof_known
    check (proof in ('password', 'magic-link', 'email-code', 'provider', 'vouched-address'));
