import type { Config } from "../config/index.js";
import type { Queryable } from "../db/index.js";
import { appKind } from "./letter/app-message.js";
import { composeMail } from "./letter/compose.js";
import type { Mailer } from "./mailer.js";
import type { ClaimedMail } from "./queue/claim.js";
import { decryptMail } from "./queue/outbox.js";
import { decoyKind } from "./queue/store.js";

/** An email as a test sees it. */
export interface KeptMail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

/** A mailer for tests of apps that stores emails and never sends them. */
export function keepingMailer(mailer: Mailer): Mailer {
  return { ...mailer, start: () => {}, close: async () => {} };
}

/** The stored emails, oldest first. */
export async function keptMails(
  db: Queryable,
  config: Pick<Config, "app" | "secret" | "previousSecret">,
): Promise<readonly KeptMail[]> {
  const stored = await db.query<Pick<ClaimedMail, "id" | "encrypted">>(
    `select id, sealed as encrypted from service.mails where kind <> '${decoyKind}' order by id`,
  );
  return stored.map((mail) => {
    const message = decryptMail(config, mail);
    if (message.kind === appKind) {
      const { to, subject, text } = message;
      return { to, subject, text };
    }
    const { subject, text } = composeMail(message, config.app.name);
    return { to: [message.to], subject, text };
  });
}
