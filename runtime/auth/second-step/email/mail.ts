import type { Services } from "../../../http/index.js";
import type { Credentials } from "../../account/store.js";
import { addresseeOf } from "../../mailed/message.js";

/** A code and until when it counts. */
export interface CodeToMail {
  readonly kind: "second-step-code" | "set-up-code";
  readonly code: string;
  readonly expiresAt: Date;
}

/** Mails a code to the account's address. After the commit: a mail cannot be taken back. */
export function mailCode(
  { mailer, clock }: Pick<Services, "mailer" | "clock">,
  account: Credentials,
  { kind, code, expiresAt }: CodeToMail,
): void {
  const rest = expiresAt.getTime() - clock.now().getTime();
  const minutes = Math.max(1, Math.floor(rest / 60_000));
  mailer.send({ ...addresseeOf(account), kind, code, minutes });
}
