import type { Config } from "../../runtime/config/index.js";
import { tryTransport } from "../../runtime/mail/index.js";
import { type Finding, ok, problem, warning } from "./finding.js";

/** Whether mail can leave: a configured server is connected to and signed in to; nothing is sent. */
export async function checkMailer({ mailer, environment }: Config): Promise<Finding> {
  if (mailer.driver === "smtp") {
    const failure = await tryTransport(mailer.url);
    return failure === null
      ? ok("mailer", `smtp, from ${mailer.from}`)
      : problem("mailer", `smtp: ${failure}`, fixFor(failure));
  }
  return environment === "production"
    ? warning(
        "mailer",
        "none: nothing is mailed",
        "set SERVICE_MAIL_URL, or mailer in service.yaml",
      )
    : ok("mailer", "none: codes and links are printed in development");
}

/** A host that nobody knows is often the rest of a password with an @ in it. */
function fixFor(failure: string): string {
  const place = "check SERVICE_MAIL_URL, or mailer in service.yaml";
  return /\b(?:ENOTFOUND|EAI_AGAIN|EDNS)\b/.test(failure)
    ? `${place}; if the password has one of @ : / ? # %, percent-encode the password (@ is %40)`
    : place;
}
