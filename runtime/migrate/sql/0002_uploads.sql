-- The files that were uploaded, the objects in the storage, and since when nothing uses them.

create table service.uploads (
  key text collate "C" not null,
  -- The resource and field that it was uploaded to: the only field that may hold the key.
  resource text collate "C" not null,
  field text collate "C" not null,
  user_id uuid,
  -- The file details object as clients see it; json and not jsonb, to keep its order.
  details json not null,
  created_at timestamptz(3) not null default now(),
  -- Since when no record and no account holds the key; null while one does. Storing the key in a record
  -- clears it, and pruning sets it when it finds that the last one let go.
  unused_since timestamptz(3) default now(),
  -- The image profile as it was when the renditions were made; null where none was.
  profile jsonb,
  constraint uploads_pkey primary key (key),
  constraint uploads_user_id_fkey foreign key (user_id)
    references service.users (id) on delete set null
);

create index uploads_user_id_idx on service.uploads (user_id);
create index uploads_unused_since_idx on service.uploads (unused_since)
where unused_since is not null;

-- Every object in the storage, a file or one of its renditions. It is named here before it is written,
-- so that pruning finds what an interrupted upload left. One that neither belongs to an upload nor is
-- being written is to be removed from the storage, and then from here.
create table service.stored_objects (
  key text collate "C" not null,
  -- Null while it is being written, and when the upload is gone.
  upload_key text collate "C",
  -- Bytes; null while it is being written.
  size bigint,
  -- Since when it is being written, or since another rendition took its place; null otherwise.
  unused_since timestamptz(3),
  constraint stored_objects_pkey primary key (key),
  constraint stored_objects_upload_key_fkey foreign key (upload_key)
    references service.uploads (key) on delete set null
);

create index stored_objects_upload_key_idx on service.stored_objects (upload_key);
create index stored_objects_unused_since_idx on service.stored_objects (unused_since)
where unused_since is not null;

create index stored_objects_unowned_idx on service.stored_objects (key)
where upload_key is null and unused_since is null;

-- An account's picture is held as a record holds a file.
create index users_avatar_idx on service.users (avatar);

alter table service.users
  add constraint users_avatar_fkey foreign key (avatar) references service.uploads (key);
