-- The blocks of the dashboard's home: those that an account has arranged, and those that operators share with all.

create table service.homes (
  -- Null for the blocks that are shared with all accounts.
  user_id uuid,
  -- A list of objects, which only the dashboard interprets.
  blocks json not null,
  constraint homes_user_id_key unique nulls not distinct (user_id),
  constraint homes_user_id_fkey foreign key (user_id) references service.users (id) on delete cascade,
  constraint homes_blocks_are_list check (json_typeof(blocks) = 'array')
);
