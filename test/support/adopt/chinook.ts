/** The Chinook sample database of a shop for music, with a few of its rows. */
export const chinookSql = `
create table "Artist" ("ArtistId" int not null, "Name" varchar(120), constraint "PK_Artist" primary key ("ArtistId"));
create table "Album" (
  "AlbumId" int not null, "Title" varchar(160) not null, "ArtistId" int not null,
  constraint "PK_Album" primary key ("AlbumId")
);
create table "Employee" (
  "EmployeeId" int not null, "LastName" varchar(20) not null, "FirstName" varchar(20) not null,
  "Title" varchar(30), "ReportsTo" int, "BirthDate" timestamp, "HireDate" timestamp, "Email" varchar(60),
  constraint "PK_Employee" primary key ("EmployeeId")
);
create table "Customer" (
  "CustomerId" int not null, "FirstName" varchar(40) not null, "LastName" varchar(20) not null,
  "Company" varchar(80), "Email" varchar(60) not null, "SupportRepId" int,
  constraint "PK_Customer" primary key ("CustomerId")
);
create table "Genre" ("GenreId" int not null, "Name" varchar(120), constraint "PK_Genre" primary key ("GenreId"));
create table "MediaType" (
  "MediaTypeId" int not null, "Name" varchar(120), constraint "PK_MediaType" primary key ("MediaTypeId")
);
create table "Track" (
  "TrackId" int not null, "Name" varchar(200) not null, "AlbumId" int, "MediaTypeId" int not null, "GenreId" int,
  "Composer" varchar(220), "Milliseconds" int not null, "Bytes" int, "UnitPrice" numeric(10,2) not null,
  constraint "PK_Track" primary key ("TrackId")
);
create table "Invoice" (
  "InvoiceId" int not null, "CustomerId" int not null, "InvoiceDate" timestamp not null,
  "BillingCountry" varchar(40), "Total" numeric(10,2) not null, constraint "PK_Invoice" primary key ("InvoiceId")
);
create table "InvoiceLine" (
  "InvoiceLineId" int not null, "InvoiceId" int not null, "TrackId" int not null, "UnitPrice" numeric(10,2) not null,
  "Quantity" int not null, constraint "PK_InvoiceLine" primary key ("InvoiceLineId")
);
create table "Playlist" ("PlaylistId" int not null, "Name" varchar(120), constraint "PK_Playlist" primary key ("PlaylistId"));
create table "PlaylistTrack" (
  "PlaylistId" int not null, "TrackId" int not null, constraint "PK_PlaylistTrack" primary key ("PlaylistId", "TrackId")
);
alter table "Album" add constraint "FK_AlbumArtistId" foreign key ("ArtistId") references "Artist";
create index "IFK_AlbumArtistId" on "Album" ("ArtistId");
alter table "Customer" add constraint "FK_CustomerSupportRepId" foreign key ("SupportRepId") references "Employee";
create index "IFK_CustomerSupportRepId" on "Customer" ("SupportRepId");
alter table "Employee" add constraint "FK_EmployeeReportsTo" foreign key ("ReportsTo") references "Employee";
create index "IFK_EmployeeReportsTo" on "Employee" ("ReportsTo");
alter table "Invoice" add constraint "FK_InvoiceCustomerId" foreign key ("CustomerId") references "Customer";
create index "IFK_InvoiceCustomerId" on "Invoice" ("CustomerId");
alter table "InvoiceLine" add constraint "FK_InvoiceLineInvoiceId" foreign key ("InvoiceId") references "Invoice";
create index "IFK_InvoiceLineInvoiceId" on "InvoiceLine" ("InvoiceId");
alter table "InvoiceLine" add constraint "FK_InvoiceLineTrackId" foreign key ("TrackId") references "Track";
create index "IFK_InvoiceLineTrackId" on "InvoiceLine" ("TrackId");
alter table "PlaylistTrack" add constraint "FK_PlaylistTrackPlaylistId" foreign key ("PlaylistId") references "Playlist";
alter table "PlaylistTrack" add constraint "FK_PlaylistTrackTrackId" foreign key ("TrackId") references "Track";
create index "IFK_PlaylistTrackTrackId" on "PlaylistTrack" ("TrackId");
alter table "Track" add constraint "FK_TrackAlbumId" foreign key ("AlbumId") references "Album";
create index "IFK_TrackAlbumId" on "Track" ("AlbumId");
alter table "Track" add constraint "FK_TrackGenreId" foreign key ("GenreId") references "Genre";
create index "IFK_TrackGenreId" on "Track" ("GenreId");
alter table "Track" add constraint "FK_TrackMediaTypeId" foreign key ("MediaTypeId") references "MediaType";
create index "IFK_TrackMediaTypeId" on "Track" ("MediaTypeId");

insert into "Artist" values (1, 'AC/DC'), (2, 'Accept'), (3, 'Aerosmith');
insert into "Album" values (1, 'For Those About To Rock We Salute You', 1), (2, 'Balls to the Wall', 2),
  (4, 'Let There Be Rock', 1);
insert into "Employee" values (1, 'Adams', 'Andrew', 'General Manager', null, '1962-02-18', '2002-08-14', 'andrew@chinookcorp.com'),
  (2, 'Edwards', 'Nancy', 'Sales Manager', 1, '1958-12-08', '2002-05-01', 'nancy@chinookcorp.com');
insert into "Customer" values (1, 'Luís', 'Gonçalves', 'Embraer', 'luisg@embraer.com.br', 2);
insert into "Genre" values (1, 'Rock'), (2, 'Jazz');
insert into "MediaType" values (1, 'MPEG audio file'), (2, 'Protected AAC audio file');
insert into "Track" values (1, 'For Those About To Rock (We Salute You)', 1, 1, 1, 'Angus Young', 343719, 11170334, 0.99),
  (2, 'Balls to the Wall', 2, 2, 1, null, 342562, 5510424, 0.99), (15, 'Go Down', 4, 1, 1, 'AC/DC', 331180, 10847611, 0.99);
insert into "Invoice" values (1, 1, '2021-01-01', 'Brazil', 1.98);
insert into "InvoiceLine" values (1, 1, 2, 0.99, 1), (2, 1, 15, 0.99, 1);
insert into "Playlist" values (1, 'Music');
insert into "PlaylistTrack" values (1, 1), (1, 2);
`;
