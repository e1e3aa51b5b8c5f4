-- What servers have noticed, for `service doctor`.

create table service.remarks (
  name text collate "C" not null,
  -- When it was noticed last.
  at timestamptz(3) not null,
  constraint remarks_pkey primary key (name)
);
