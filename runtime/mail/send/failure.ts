/** Why the mail server did not accept an email. */
export interface Failure {
  /** Whether a retry would be refused too. */
  readonly isFinal: boolean;
  /** The reason as logged. */
  readonly reason: string;
}

/** Properties that nodemailer adds to an error. */
interface MailError extends Error {
  readonly command?: string;
  readonly response?: string;
  /** Whether the response was a 5xx other than 503, which means that the session has failed. */
  readonly permanent?: boolean;
}

/**
 * The SMTP commands whose failure concerns the email itself. Failures of others (greeting, TLS, authentication, sender)
 * concern the session, such as an expired password or a server under maintenance, and may be temporary.
 */
const mailCommands = ["RCPT TO", "DATA"];

/**
 * Classifies an error. Logs only the codes of a server's response: spam filters quote the email that they refuse,
 * including its link.
 */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { isFinal: false, reason: "an unknown failure" };
  const { command, response, permanent = false, message }: MailError = error;
  if (response === undefined) return { isFinal: false, reason: message };
  const [codes = "something else"] = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response) ?? [];
  return {
    isFinal: permanent && mailCommands.includes(command ?? ""),
    reason: `the mail server responded with ${codes} to ${command ?? "the connection"}`,
  };
}
