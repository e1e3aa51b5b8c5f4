-- Lists of records that somebody has named for everybody.

create table service.views (
  id uuid not null default service.uuid_v7(),
  -- As in its path.
  resource text collate "C" not null,
  name text collate "und-x-icu" not null,
  -- The parameters of the list, as an address has them.
  query text not null,
  -- Who made it; null once the account is deleted.
  by_id uuid,
  created_at timestamptz(3) not null default now(),
  constraint views_pkey primary key (id),
  constraint views_by_id_fkey foreign key (by_id) references service.users (id) on delete set null,
  constraint views_name_length check (char_length(name) between 1 and 100),
  constraint views_query_length check (char_length(query) <= 4000)
);

create index views_resource_name_id_idx on service.views (resource, name, id);
create index views_by_id_idx on service.views (by_id);
