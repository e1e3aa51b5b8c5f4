/** A database of records as other programs make them: names in capitals, types of all sorts, rules and triggers. */
export const recordsSql = `
create type mood as enum ('sad', 'ok', 'it''s fine');
create domain percentage as smallint check (value between 0 and 100);
create sequence catalogue_numbers start 500;
create function artist_of_day() returns trigger language plpgsql as $$
begin
-- @name is not sung
  if new."Name" = 'Silence' then
    raise exception 'this name is no artist';
  end if;
  new.shown := upper(new."Name");
  return new;
end $$;

create table "Artist" (
  id uuid primary key default gen_random_uuid(),
  "Name" varchar(120) not null,
  mood mood,
  born date,
  shown text,
  "passwordHash" text,
  "firstSeen" time,
  created_at timestamptz not null default now()
);
comment on table "Artist" is 'Who plays';
create index on "Artist" (created_at);
create trigger artist before insert or update on "Artist"
  for each row execute function artist_of_day();

create table "Album" (
  id uuid primary key,
  "Title" varchar(160) not null unique,
  "ArtistId" uuid not null references "Artist" on delete cascade,
  state text not null check (state in ('draft', 'live')),
  price numeric(8, 2) check (price >= 0),
  plays smallint,
  fame percentage,
  loud boolean,
  facts jsonb,
  tags text[],
  notes text,
  cover bytea,
  number bigint default nextval('catalogue_numbers'),
  titles text generated always as (lower("Title")) stored,
  last_update timestamptz,
  unique ("ArtistId", plays),
  check (plays <> 13)
);
create unique index one_loud on "Album" ("ArtistId") where loud;

create table "Track" (
  id uuid primary key default gen_random_uuid(),
  album uuid references "Album",
  next uuid references "Track" on delete set null,
  code character(3),
  length interval
);

create table "Track Listener" (track uuid references "Track", listener uuid, primary key (track, listener));
create table notes (body text);
create table schema_migrations (version text primary key);
create table counters (id int primary key, value int not null default 3);
create table prices (price numeric(8, 2) primary key);
create view quiet as select * from "Album" where not loud;

insert into "Artist" (id, "Name", mood, born, "passwordHash", "firstSeen", created_at) values
  ('00000000-0000-4000-8000-000000000001', 'AC/DC', 'ok', '1973-11-01', 'x', '2001-02-03 04:05:06', '2020-01-01'),
  ('00000000-0000-4000-8000-000000000002', 'Accept', null, null, null, null, '2021-01-01');
insert into "Album" (id, "Title", "ArtistId", state, price, plays, fame, loud, facts, tags, notes, last_update) values
  ('00000000-0000-4000-8000-000000000011', 'Let There Be Rock', '00000000-0000-4000-8000-000000000001',
    'live', 9.99, 7, 90, true, '{"year": 1977}', '{rock,hard}', 'two' || chr(10) || 'lines', '2022-01-01');
insert into "Track" (album, code, length) values
  ('00000000-0000-4000-8000-000000000011', 'a', '6 minutes');
`;
