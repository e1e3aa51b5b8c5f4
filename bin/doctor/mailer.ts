import type { Config } from "../../runtime/config/index.js";
import { tryTransport } from "../../runtime/mail/index.js";
import { type Finding, ok, problem, warning } from "./finding.js";

/** Whether mail can leave: a configured server is connected to and signed in to; nothing is sent. */
export async function checkMailer({ mailer, environment }: Config): Promise<Finding> {
  if (mailer.driver === "smtp") {
    const failure = await tryTransport(mailer.url);
    return failure === null
      ? ok("mailer", `smtp, from ${mailer.from}`)
      : problem("mailer", `smtp: ${failure}`, "check SERVICE_MAIL_URL, or mailer in service.yaml");
  }
  return environment === "production"
    ? warning(
        "mailer",
        "none: nothing is mailed",
        "set SERVICE_MAIL_URL, or mailer in service.yaml",
      )
    : ok("mailer", "none: codes and links are printed in development");
}
