-- Mails that are yet to be sent. A request is answered once its mail is stored here; any server sends it,
-- and it is deleted when it is sent or has expired.

create table service.mails (
  -- Also the mail's Message-ID: every attempt sends the same mail.
  id uuid not null,
  -- The recipient.
  email text collate "C" not null,
  -- 'none' is a decoy that is never sent: an address without an account causes the same work.
  kind text collate "C" not null,
  -- Each route has its queue, so that a flood of one kind of mail delays no other.
  queue text collate "C" not null,
  -- Encrypted.
  sealed bytea not null,
  -- How many mails to the same address were queued before it, plus its failed attempts. Lower turns are
  -- sent first, so that an address with many mails delays no other.
  turn integer not null,
  tries integer not null default 0,
  -- When it may be sent; while a server is sending it, when another server may take over.
  due_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  constraint mails_pkey primary key (id)
);

create index mails_queue_turn_due_at_idx on service.mails (queue, turn, due_at);
create index mails_email_idx on service.mails (email);
create index mails_expires_at_idx on service.mails (expires_at);
create index mails_nobodys_idx on service.mails (due_at) where kind = 'none';
