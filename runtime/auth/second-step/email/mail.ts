import type { Transaction } from "../../../db/index.js";
import type { Services } from "../../../own-code/index.js";
import type { Credentials } from "../../account/store.js";
import { recipientOf } from "../../mailed/recipient.js";
import { priorityOf, sendMailOrDecoy } from "../../mailed/request.js";
import { challengeMinutes } from "../../session/challenge.js";

const briefMs = 30_000;

/** A code to be emailed, and its expiry. */
export interface CodeMail {
  readonly kind: "second-step-code" | "set-up-code";
  readonly code: string;
  readonly expiresAt: Date;
}

/** Emails a code to the account's address after the commit. Refuses while the queue is full. */
export async function mailCode(
  services: Pick<Services, "mailer" | "clock"> & { readonly db: Transaction },
  account: Credentials,
  { kind, code, expiresAt }: CodeMail,
): Promise<void> {
  const rest = expiresAt.getTime() - services.clock.now().getTime();
  const spent = challengeMinutes * 60_000 - rest;
  // If the code is requested right after the password, the email states the full time.
  const minutes = Math.max(1, Math.floor((rest + (spent <= briefMs ? spent : 0)) / 60_000));
  const message = { ...recipientOf(account), kind, code, minutes } as const;
  await sendMailOrDecoy(services, { decoy: message, message, priority: priorityOf(account) });
}
