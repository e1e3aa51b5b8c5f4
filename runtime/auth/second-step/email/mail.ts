import type { Transaction } from "../../../db/index.js";
import type { Services } from "../../../services/index.js";
import type { Credentials } from "../../account/store.js";
import { addresseeOf } from "../../mailed/message.js";
import { mailOrPretend } from "../../mailed/request.js";

/** A code and until when it counts. */
export interface CodeToMail {
  readonly kind: "second-step-code" | "set-up-code";
  readonly code: string;
  readonly expiresAt: Date;
}

/** Mails a code to the account's address once the transaction is committed. Refuses while too many mails wait. */
export async function mailCode(
  services: Pick<Services, "mailer" | "clock"> & { readonly db: Transaction },
  account: Credentials,
  { kind, code, expiresAt }: CodeToMail,
): Promise<void> {
  const rest = expiresAt.getTime() - services.clock.now().getTime();
  const minutes = Math.max(1, Math.floor(rest / 60_000));
  const message = { ...addresseeOf(account), kind, code, minutes } as const;
  await mailOrPretend(services, message, message);
}
