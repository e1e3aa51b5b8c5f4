import type { Config } from "../../config/index.js";
import type { Queryable } from "../../db/index.js";
import type { StoredAppMessage } from "../letter/app-message.js";
import { storeAppMessage } from "../queue/app-message.js";
import type { ClaimedMail } from "../queue/claim.js";
import { logLoss, type MailLog } from "./log.js";
import type { Transport } from "./smtp.js";

interface Means {
  readonly transport: Transport;
  readonly db: Queryable;
  readonly config: Pick<Config, "secret" | "previousSecret">;
  readonly log: MailLog;
}

/**
 * Delivers an email of app code to the mail server. If only some recipients are refused temporarily, they get a
 * separate email later; recipients refused permanently are logged.
 */
export async function deliverAppMessage(
  { transport, db, config, log }: Means,
  mail: ClaimedMail,
  { subject, text, html, replyTo, ...addressed }: StoredAppMessage,
): Promise<void> {
  const { to } = addressed;
  const composed = { subject, text, replyTo, ...(html !== null && { html }) };
  const refused = await transport.deliver(transport.address(to, composed, mail.id));
  for (const { address: email } of refused.filter(({ isFinal }) => isFinal)) {
    logLoss(log, { ...mail, email }, "the mail server refuses this recipient");
  }
  const later = refused.filter(({ isFinal }) => !isFinal).map(({ address }) => address);
  if (later.length === 0) return;
  const rest = { ...addressed, to: later, subject, text, html, replyTo };
  const isStored = await storeAppMessage(db, rest, {
    secrets: config,
    minutes: mail.secondsLeft / 60,
    delaySeconds: laterSeconds,
  });
  if (isStored) return;
  for (const email of later) logLoss(log, { ...mail, email }, "the queue is full");
}

/** Seconds: greylisting, the usual reason, expects a retry after five minutes. */
const laterSeconds = 300;
