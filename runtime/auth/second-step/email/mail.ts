import type { Services } from "../../../http/index.js";
import type { Credentials } from "../../account/store.js";

/** Mails a code to the account's address. After the commit: a mail cannot be taken back. */
export function mailCode(
  { mailer, clock }: Pick<Services, "mailer" | "clock">,
  { email, name, emailVerified }: Credentials,
  {
    kind,
    code,
    expiresAt,
  }: {
    readonly kind: "second-step-code" | "set-up-code";
    readonly code: string;
    readonly expiresAt: Date;
  },
): void {
  const rest = expiresAt.getTime() - clock.now().getTime();
  mailer.send({
    kind,
    to: email,
    // Whoever chose the name of an account with an unproved address may not be who reads its mail.
    name: emailVerified ? name : null,
    code,
    minutes: Math.max(1, Math.floor(rest / 60_000)),
  });
}
