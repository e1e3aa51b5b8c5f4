import { randomBytes } from "node:crypto";
import { v7 } from "uuid";
import type { AuthServer } from "./server.js";

/** Makes an account's address unverified. */
export async function forgetProof({ services }: AuthServer, email: string): Promise<void> {
  const text = "update service.users set email_verified_at = null where email = $1";
  await services.db.query(text, [email]);
}

/** Lets nobody in to an account any more, past the commands: its sessions and challenges stay. */
export async function disable({ services }: AuthServer, email: string): Promise<void> {
  const text = "update service.users set disabled_at = now() where email = $1";
  await services.db.query(text, [email]);
}

/** Takes an account's password away. */
export async function forgetPassword({ services }: AuthServer, email: string): Promise<void> {
  const text = "update service.users set password_hash = null where email = $1";
  await services.db.query(text, [email]);
}

/** Lets every such statement on a table fail, until what it gives is called. */
export async function breakTable(
  { services: { db } }: AuthServer,
  table: string,
  event: "insert" | "update",
): Promise<() => Promise<void>> {
  await db.query(`create function fail() returns trigger language plpgsql as
    $$ begin raise exception 'out of order'; end $$`);
  await db.query(`create trigger fail before ${event} on ${table} execute function fail()`);
  return async () => {
    await db.query("drop function fail cascade");
  };
}

/** Gives an account a name and a picture. */
export async function introduce(
  { services }: AuthServer,
  email: string,
  name: string,
): Promise<void> {
  await services.db.query(
    `with picture as (
       insert into service.uploads (key, resource, field, details)
       values ('users/avatar/' || $1, 'users', 'avatar', json_build_object(
         'key', 'users/avatar/' || $1, 'url', '/files/users/avatar/' || $1, 'name', 'me.webp',
         'mime', 'image/webp', 'size', 1, 'width', 1, 'height', 1, 'optimised', true,
         'renditions', json_build_object()
       ))
       returning key
     )
     update service.users
     set name = $2, avatar = picture.key
     from picture
     where email = $1`,
    [email, name],
  );
}

/** A passkey that nobody can sign in with. */
export async function addPasskey({ services }: AuthServer, email: string): Promise<void> {
  await services.db.query(
    `insert into service.passkeys
       (id, user_id, credential_id, public_key, counter, device_type, backed_up, transports,
        name, created_at)
     select $1, id, $2, '\\x00', 0, 'singleDevice', false, '{}', 'Key', $3
     from service.users
     where email = $4`,
    [v7({ msecs: Date.now() }), randomBytes(16), services.clock.now(), email],
  );
}

/** A second step that nobody can pass. */
export async function addSecondStep(
  { services }: AuthServer,
  email: string,
  kind: "authenticator" | "email",
): Promise<void> {
  await services.db.query(
    `insert into service.second_steps (user_id, authenticator_secret, email, backup_key)
     select id, case when $2 then '\\x00'::bytea end, not $2, '\\x00'
     from service.users
     where email = $1`,
    [email, kind === "authenticator"],
  );
}
