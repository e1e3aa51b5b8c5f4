import type { StoredAppMessage } from "./letter/app-message.js";
import { isNotice, type Message } from "./letter/message.js";

/** Lines printed for an email in development: one for each code and link in it. */
export function developmentLines(message: Message): readonly string[] {
  if (isNotice(message)) return [];
  const { kind, to } = message;
  switch (kind) {
    case "sign-in-link":
      return [`Sign-in link for ${to}: ${message.link}`];
    case "sign-in-code":
      return [`Sign-in code for ${to}: ${message.code}`];
    case "second-step-code":
      return [`Second-step code for ${to}: ${message.code}`];
    case "set-up-code":
      return [`Set-up code for ${to}: ${message.code}`];
    case "verification":
      return codeAndLink("Verification", message);
    case "reset-link":
      return [`Reset link for ${to}: ${message.link}`];
    case "invitation":
      return [`Invitation for ${to}: ${message.link}`];
    case "email-change":
      return codeAndLink("Address-change", message);
    case "email-wanted":
    case "account-exists":
    case "webhook-disabled":
      return [];
    default:
      return message satisfies never;
  }
}

function codeAndLink(
  what: string,
  { to, code, link }: Extract<Message, { kind: "verification" | "email-change" }>,
): readonly string[] {
  const shown = `${what} code for ${to}: ${code}`;
  return link === null ? [shown] : [shown, `${what} link for ${to}: ${link}`];
}

/** Lines printed for an email of app code in development, without control characters, which terminals interpret. */
export function appMessageLines({ to, subject, text }: StoredAppMessage): readonly string[] {
  const lines = text.split(/\r?\n/).map((line) => `  ${line.replaceAll(controls, "")}`.trimEnd());
  return [`Mail to ${to.join(", ")}: ${subject}`, ...lines];
}

/** Control characters except tab. */
const controls = /(?!\t)\p{Cc}/gu;
