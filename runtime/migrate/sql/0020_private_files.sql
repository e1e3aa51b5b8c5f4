-- Private files: where their objects are in a bucket, and who uploaded them.

alter table service.stored_objects
  -- Whether it is where private files are: in a bucket below `private/`.
  add column is_private boolean not null default false,
  -- Whether a copy of it may still be in the other place, as it is being moved.
  add column is_moving boolean not null default false;

alter table service.uploads
  -- Who uploaded it, where that is no account but somebody of the app's own sign-in.
  add column sender text collate "C";
