/** Views on tables of which one is not adopted, a partitioned table, and keys of unusual types. */
export const viewsSql = `
create extension if not exists citext;
create table artist (id integer primary key, name text not null);
create table album (id integer primary key, artist integer not null references artist, title text not null, price numeric(8, 2));
create table album_tag (album integer references album, tag text, note text not null default '', primary key (album, tag));
insert into artist values (1, 'AC/DC'), (2, 'Accept');
insert into album values (1, 1, 'Powerage', 9.5), (2, 1, 'Highway', 8), (3, 2, 'Balls', null);
insert into album_tag values (1, 'hard'), (2, 'hard'), (2, 'rock');
create type size as enum ('small', 'large');
create function size_of(albums bigint) returns size language sql immutable
as $$ select case when albums > 1 then 'large' else 'small' end::size $$;
create view artist_size with (security_barrier) as
  select a.id as artist_id, a.name, count(*) as albums, size_of(count(*)) as size
  from artist a join album on album.artist = a.id group by a.id, a.name;
comment on view artist_size is 'How much an artist has made';
create view "Large Artist" as select * from artist_size where size = 'large'::size;
create materialized view tag_count as select tag, count(*) as albums from album_tag group by tag;
create unique index on tag_count (tag);
create view album_price as select artist, price from album;
create table event (id bigint generated always as identity, at date not null, what citext not null, primary key (id, at), unique (at, what)) partition by range (at);
create table event_2025 partition of event for values from ('2025-01-01') to ('2026-01-01');
create table event_later partition of event default;
create table reading (id bigint primary key, place text not null check (place in ('in', 'out')), value real) partition by hash (id);
create table reading_0 partition of reading for values with (modulus 2, remainder 0);
create table reading_1 partition of reading for values with (modulus 2, remainder 1);
insert into reading select n, 'in', n from generate_series(1, 9) n;
create table country (code char(3) primary key, name citext not null unique);
insert into country values ('no', 'Norway');
create table town (name citext primary key, country char(3) not null references country, twin citext references town);
insert into town values ('Oslo', 'no', null), ('Bergen', 'no', 'OSLO');
`;
