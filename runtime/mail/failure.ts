/** Why a mail could not be handed over. */
export interface Failure {
  /** Whether the same mail would be refused again. */
  readonly isFinal: boolean;
  /** For the log. */
  readonly reason: string;
}

/** What nodemailer adds to an error. */
interface MailError extends Error {
  readonly command?: string;
  readonly response?: string;
  /** A 5xx answer other than 503, by which a server tells that the session has gone wrong. */
  readonly permanent?: boolean;
}

/**
 * The commands by which a server refuses the mail itself. What it answers to others (greeting, TLS, sign-in,
 * sender) is about the session: a password that has expired, or a server under maintenance, which passes.
 */
const aboutTheMail = ["RCPT TO", "DATA"];

/**
 * Of a server's answer only the codes are told: filters quote the mail that they refuse, and with it
 * its link.
 */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { isFinal: false, reason: "an unknown failure" };
  const { command, response, permanent = false, message }: MailError = error;
  if (response === undefined) return { isFinal: false, reason: message };
  const [codes = "something else"] = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response) ?? [];
  return {
    isFinal: permanent && aboutTheMail.includes(command ?? ""),
    reason: `${command ?? "the connection"} was answered with ${codes}`,
  };
}
