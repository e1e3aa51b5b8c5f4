-- What the stored answers of an account take is bounded: the oldest lose their bodies.

alter table service.kept_answers
  -- Of a batch, what outlives its body: for each operation the id of its record, null for a delete, or the
  -- status of its refusal. JSON.
  add column outcomes text;

-- Keyed writes wait while it is built, a second or two for a million answers.
create index kept_answers_bodies_idx on service.kept_answers (account_id, kept_at)
  where body is not null;
