-- What outlives the bodies of batches is bounded for each account as well.

-- Keyed writes wait while it is built, a second or two for a million answers.
create index kept_answers_outcomes_idx on service.kept_answers (account_id, kept_at)
  where outcomes is not null;
