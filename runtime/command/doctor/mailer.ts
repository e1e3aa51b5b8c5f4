import type { Config } from "../../config/index.js";
import { tryTransport } from "../../mail/index.js";
import type { Finding } from "../report.js";
import { ok, problem, warning } from "./finding.js";

/** Checks whether mail can be sent by connecting and authenticating to a configured server; nothing is sent. */
export async function checkMailer({ mailer, environment, warnings }: Config): Promise<Finding> {
  if (mailer.driver === "smtp") {
    const failure = await tryTransport(mailer.url);
    return failure === null
      ? ok("mailer", `smtp, from ${mailer.from}`)
      : problem("mailer", `smtp: ${failure}`, fixFor(failure));
  }
  const warned = warnings.find(({ about }) => about === "mailer");
  if (warned !== undefined) return warning("mailer", warned.message, warned.hint);
  return ok("mailer", `none: no mail is sent${instead[environment]}`);
}

/** The end of the message in each environment: only a development server prints emails. */
const instead: Readonly<Record<Config["environment"], string>> = {
  development: "; codes and links are printed to the console instead",
  production: ", and no way to sign in needs it",
  test: "; npx service dev prints codes and links instead",
  other: "; npx service dev prints codes and links instead",
};

/** Returns the fix for a failure. An unknown host is often the rest of a password that contains an @. */
function fixFor(failure: string): string {
  const place = "check SERVICE_MAIL_URL, or mailer in service.yaml";
  return /\b(?:ENOTFOUND|EAI_AGAIN|EDNS)\b/.test(failure)
    ? `${place}; if the password has one of @ : / ? # %, percent-encode the password (@ is %40)`
    : place;
}
