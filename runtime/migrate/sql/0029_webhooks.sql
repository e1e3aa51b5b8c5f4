-- Webhooks: addresses of other systems to which changes are sent, and the deliveries.

create table service.webhooks (
  id uuid not null,
  url text not null,
  -- As "orders.created" or "orders.*".
  events text[] collate "C" not null,
  -- Encrypted, each with the text of the webhook's id. The former one signs too until `former_until`.
  secret bytea not null,
  former_secret bytea,
  former_until timestamptz(3),
  -- Who made it, and whose rights it has. Once that account is deleted, nothing is sent.
  by_id uuid,
  is_disabled boolean not null default false,
  -- When the first try failed after the last success.
  failing_since timestamptz(3),
  -- The change up to which its deliveries are stored, and the log of that number.
  position bigint not null,
  log uuid not null,
  created_at timestamptz(3) not null default now(),
  constraint webhooks_pkey primary key (id),
  constraint webhooks_by_id_fkey foreign key (by_id) references service.users (id) on delete set null
);

create index webhooks_by_id_idx on service.webhooks (by_id);

-- Without a foreign key: the deliveries of a deleted webhook are deleted in batches.
create table service.webhook_deliveries (
  -- The header webhook-id, the same at every try.
  id uuid not null,
  webhook_id uuid not null,
  -- In the order of the changes.
  seq bigint not null generated always as identity,
  -- As "orders.created", or "test".
  type text collate "C" not null,
  -- The record that was changed: the next delivery of a record waits for the one before. Null for a test.
  record_id uuid,
  -- What is sent, byte for byte.
  body text not null,
  -- 'waiting', 'succeeded' or 'failed'.
  state text collate "C" not null default 'waiting',
  -- Tries that have ended.
  attempts integer not null default 0,
  -- Of the last answer; null where there was none.
  status integer,
  -- Why the last try failed.
  error text,
  -- When it may be tried; null once it has ended. Not rounded: what is due now would be due in a moment.
  next_at timestamptz default now(),
  -- The try that is under way, and when other processes take it over.
  claim uuid,
  leased_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint webhook_deliveries_pkey primary key (id)
) with (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000
);

create index webhook_deliveries_webhook_id_seq_idx on service.webhook_deliveries (webhook_id, seq);
create index webhook_deliveries_webhook_id_state_seq_idx on service.webhook_deliveries (webhook_id, state, seq);
create index webhook_deliveries_due_idx on service.webhook_deliveries (webhook_id, next_at) where state = 'waiting';
create index webhook_deliveries_record_idx
  on service.webhook_deliveries (webhook_id, record_id, seq)
  where state = 'waiting';
create index webhook_deliveries_created_at_idx on service.webhook_deliveries (created_at);

-- A row from its image in the log, with the present columns of the table. A value that does not fit its column, because
-- the type of the column was changed since, is left out.
create function service.row_of(_row anyelement, _image jsonb) returns anyelement
language plpgsql stable
as $$
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
$$;
