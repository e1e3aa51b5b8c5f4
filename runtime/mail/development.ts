import type { Message } from "./letter/message.js";
import type { StoredOwnMail } from "./letter/own-mail.js";

/** The lines printed for a mail in development: one for each code and link in it. */
export function developmentLines(message: Message): readonly string[] {
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
    case "verification": {
      const code = `Verification code for ${to}: ${message.code}`;
      return message.link === null
        ? [code]
        : [code, `Verification link for ${to}: ${message.link}`];
    }
    case "reset-link":
      return [`Reset link for ${to}: ${message.link}`];
    case "invitation":
      return [`Invitation for ${to}: ${message.link}`];
    case "email-change": {
      const code = `Address-change code for ${to}: ${message.code}`;
      return message.link === null
        ? [code]
        : [code, `Address-change link for ${to}: ${message.link}`];
    }
    case "email-wanted":
    case "account-exists":
    case "password-changed":
    case "password-reset":
    case "second-step-on":
    case "second-step-off":
    case "backup-codes-renewed":
    case "passkey-added":
    case "passkey-removed":
    case "identity-added":
    case "identity-removed":
    case "address-adopted":
    case "email-change-requested":
    case "email-changed":
    case "app-connected":
    case "app-token-reused":
    case "webhook-disabled":
      return [];
    default:
      return message satisfies never;
  }
}

/** The lines printed for a mail of app code in development, without control characters, which terminals interpret. */
export function ownMailLines({ to, subject, text }: StoredOwnMail): readonly string[] {
  const lines = text.split(/\r?\n/).map((line) => `  ${line.replaceAll(controls, "")}`.trimEnd());
  return [`Mail to ${to.join(", ")}: ${subject}`, ...lines];
}

/** All but the tab. */
const controls = /(?!\t)\p{Cc}/gu;
