-- Mails on their way to the mail server. Whoever asks for one is answered when it is stored here; any
-- server sends it, and it is gone when it is sent or what is in it counts no more.

create table service.mails (
  -- The mail's Message-ID, too: however often it is tried, it is one mail.
  id uuid not null,
  -- Whom it goes to.
  email text collate "C" not null,
  -- 'none' is a mail that nobody gets: where there is no account, the same work is done.
  kind text collate "C" not null,
  -- Where it waits: mails of different routes wait apart, so that a flood of one kind delays no other.
  queue text collate "C" not null,
  -- Encrypted.
  sealed bytea not null,
  -- How many mails to the same address waited in the queue when it came, and how often it was tried in
  -- vain: lower ones are sent first, so that an address with many mails delays no other's.
  turn integer not null,
  tries integer not null default 0,
  -- When it may be tried; while a server tries it, when others may if that one has died.
  due_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  constraint mails_pkey primary key (id)
);

create index mails_queue_turn_due_at_idx on service.mails (queue, turn, due_at);
create index mails_email_idx on service.mails (email);
create index mails_expires_at_idx on service.mails (expires_at);
create index mails_nobodys_idx on service.mails (due_at) where kind = 'none';
