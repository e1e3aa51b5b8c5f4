-- How far files were imported with `service import … --on-error skip`: written in the transaction of the rows before it, so
-- that an import that was cut off goes on behind them.
create table service.imports (
  resource text not null,
  -- Absolute.
  path text not null,
  -- SHA-256 of the file.
  digest bytea not null,
  -- Rows, lines and bytes of the file up to there.
  rows bigint not null,
  lines bigint not null,
  bytes bigint not null,
  refused bigint not null,
  -- Bytes of the file of refused rows.
  errors_bytes bigint not null,
  is_done boolean not null default false,
  changed_at timestamptz(3) not null default now(),
  constraint imports_pkey primary key (resource, path)
);
