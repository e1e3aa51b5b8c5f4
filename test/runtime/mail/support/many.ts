import type { Database } from "../../../../runtime/db/index.js";

/** Stores the waiting emails of a kind so many times more, each to a different address. */
export async function multiplyMails(db: Database, kind: string, count: number): Promise<void> {
  await db.query(
    `insert into service.mails
     select (jsonb_populate_record(
       mail,
       jsonb_build_object('id', gen_random_uuid(), 'email', 'stranger-' || n || '@example.com')
     )).*
     from service.mails as mail
     cross join generate_series(1, $1) as n
     where kind = $2`,
    [count, kind],
  );
  await db.query("analyze service.mails");
}
