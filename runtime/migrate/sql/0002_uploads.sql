-- Uploaded files, the objects in storage, and the time since which nothing uses them.

create table service.uploads (
  key text collate "C" not null,
  -- The resource and field that it was uploaded to: the only field that may hold the key.
  resource text collate "C" not null,
  field text collate "C" not null,
  user_id uuid,
  -- The file details object as clients see it; json and not jsonb, to keep its order.
  details json not null,
  created_at timestamptz(3) not null default now(),
  -- When the last record or account stopped using the key; null while one uses it. Storing the key in a
  -- record clears it; pruning sets it when it finds no use.
  unused_since timestamptz(3) default now(),
  -- The image profile with which the renditions were made; null for other files.
  profile jsonb,
  constraint uploads_pkey primary key (key),
  constraint uploads_user_id_fkey foreign key (user_id)
    references service.users (id) on delete set null
);

create index uploads_user_id_idx on service.uploads (user_id);
create index uploads_unused_since_idx on service.uploads (unused_since)
where unused_since is not null;

-- Every object in storage: a file or one of its renditions. It is recorded before it is written, so that
-- pruning finds what an interrupted upload left behind. An object that belongs to no upload and is not
-- being written is removed from storage first, and then from this table.
create table service.stored_objects (
  key text collate "C" not null,
  -- Null while it is being written, and after the upload is deleted.
  upload_key text collate "C",
  -- Bytes; null while it is being written.
  size bigint,
  -- When writing began, or when another rendition replaced it; null otherwise.
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

-- An account uses its picture as a record uses a file.
create index users_avatar_idx on service.users (avatar);

alter table service.users
  add constraint users_avatar_fkey foreign key (avatar) references service.uploads (key);
