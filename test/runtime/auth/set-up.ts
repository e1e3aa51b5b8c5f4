import { randomBytes } from "node:crypto";
import { v7 } from "uuid";
import type { AuthServer } from "./server.js";

/** Makes an account's address one that nobody has proved yet. */
export async function forgetProof({ services }: AuthServer, email: string): Promise<void> {
  const text = "update service.users set email_verified_at = null where email = $1";
  await services.db.query(text, [email]);
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
    [v7(), randomBytes(16), services.clock.now(), email],
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
