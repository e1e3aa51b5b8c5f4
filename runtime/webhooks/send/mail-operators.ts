import type { Config } from "../../config/index.js";
import type { Transaction } from "../../db/index.js";
import type { Mailer } from "../../mail/index.js";
import type { Log } from "../../own-code/index.js";

interface Means {
  readonly config: Pick<Config, "auth">;
  readonly db: Transaction;
  readonly mailer: Mailer;
  readonly log: Log;
}

/** Maximum number of operators that get the mail, so that the copies do not fill the queue. */
const mostOperators = 50;

/** Sends operators an email that a webhook was disabled, once the transaction commits. */
export async function mailOperators(
  { config, db, mailer, log }: Means,
  { url, isGone }: { readonly url: string; readonly isGone: boolean },
): Promise<void> {
  // The rest of the URL may contain a secret of the receiver.
  const { host } = new URL(url);
  db.afterCommit(() => log.warn({ host, isGone }, "A webhook was disabled"));
  const operators = await db.query<{ email: string; name: string }>(
    `select email, name
     from service.users
     where role = any ($1)
       and disabled_at is null
       and email_verified_at is not null
     order by id
     limit ${mostOperators}`,
    [config.auth.operators],
  );
  for (const { email, name } of operators) {
    await mailer.send(db, { to: email, name, kind: "webhook-disabled", host, isGone });
  }
}
