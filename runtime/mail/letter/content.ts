import type { MailContent } from "./mail-content.js";
import { isNotice, type Message } from "./message.js";
import { noticeContent } from "./notice.js";

/** The content of a message; `app` is the app's name. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a table of letters
export function contentOf(message: Message, app: string): MailContent {
  if (isNotice(message)) return noticeContent(message, app);
  switch (message.kind) {
    case "sign-in-link":
      return {
        subject: `Sign in to ${app}`,
        lead: `Use this link to sign in to ${app}.`,
        code: null,
        link: { label: "Sign in", address: message.link },
        notes: [
          `The link works once, within ${formatDuration(message.minutes)}.`,
          "If you did not request it, ignore this email and do not share the link.",
        ],
      };
    case "sign-in-code":
      return {
        subject: `Your sign-in code for ${app}`,
        lead: `Use this code to sign in to ${app}.`,
        code: message.code,
        link: null,
        notes: [
          `The code works once, within ${formatDuration(message.minutes)}.`,
          "If you did not request it, ignore this email and do not share the code.",
        ],
      };
    case "second-step-code":
      return {
        subject: `Your second step at ${app}`,
        lead: `Use this code to finish signing in to ${app}.`,
        code: message.code,
        link: null,
        notes: [
          `The code works once, within ${formatDuration(message.minutes)}.`,
          "If you are not signing in, ignore this email and do not share the code. " +
            "Other people may know your password: change it.",
        ],
      };
    case "set-up-code":
      return {
        subject: `Enable emailed codes at ${app}`,
        lead: `Use this code to make emailed codes the second step of signing in to ${app}.`,
        code: message.code,
        link: null,
        notes: [
          `The code works once, within ${formatDuration(message.minutes)}.`,
          "If you did not request it, ignore this email and do not share the code. " +
            "Another person may be signed in as you: change your password.",
        ],
      };
    case "verification":
      return codeOrLink(message, {
        subject: `Confirm your address at ${app}`,
        purpose: `confirm your address at ${app}`,
        label: "Confirm the address",
        ignore: "If you did not request it, ignore this email: the address stays unconfirmed.",
      });
    case "email-change":
      return codeOrLink(message, {
        subject: `Confirm your new address at ${app}`,
        purpose: `make this the email address of your account at ${app}`,
        label: "Change the address",
        ignore:
          "If you did not request it, ignore this email and do not share the code: otherwise another account gets your address.",
      });
    case "email-wanted":
      return {
        subject: `You have an account at ${app}`,
        lead: `An attempt was made to use this address for another account at ${app}, but it already has one.`,
        code: null,
        link: null,
        notes: [
          "If it was you, sign in with this address, or choose another one for the other account.",
          "If it was not you, ignore this email: nothing has changed.",
        ],
      };
    case "reset-link":
      return {
        subject: `Reset your password at ${app}`,
        lead: `Use this link to choose a new password at ${app}.`,
        code: null,
        link: { label: "Choose a password", address: message.link },
        notes: [
          `The link works once, within ${formatDuration(message.minutes)}.`,
          "If you did not request it, ignore this email: your password has not changed.",
        ],
      };
    case "invitation":
      return {
        subject: `You are invited to ${app}`,
        lead: `An account at ${app} was created for you. Use this link to choose its password.`,
        code: null,
        link: { label: "Choose a password", address: message.link },
        notes: [
          `The link works once, within ${formatDuration(message.minutes)}.`,
          "If you did not expect this, ignore this email and do not share the link.",
        ],
      };
    case "account-exists":
      return {
        subject: `You have an account at ${app}`,
        lead: `An attempt was made to register this address at ${app}, which already has an account.`,
        code: null,
        link: null,
        notes: [
          "If it was you, sign in as before. If you have forgotten your password, request a link to reset it.",
          "If it was not you, ignore this email: nothing has changed.",
        ],
      };
    case "webhook-disabled":
      return {
        subject: `A webhook at ${app} was disabled`,
        lead: `The webhook of ${app} to ${message.host} was disabled.`,
        code: null,
        link: null,
        notes: [
          message.isGone
            ? "Its receiver responded with 410: it no longer exists."
            : "It has not accepted a delivery for five days.",
          "Its deliveries show why. Waiting deliveries are sent once an operator enables it again.",
        ],
      };
    default:
      return message satisfies never;
  }
}

/** The texts of an email with a code, a link or both. */
interface CodeOrLink {
  readonly subject: string;
  /** The words after "to" that name the purpose of the code. */
  readonly purpose: string;
  readonly label: string;
  readonly ignore: string;
}

function codeOrLink(
  { code, link, minutes }: Extract<Message, { kind: "verification" | "email-change" }>,
  { subject, purpose, label, ignore }: CodeOrLink,
): MailContent {
  const works = `works once, within ${formatDuration(minutes)}.`;
  if (link === null) {
    const notes = [`The code ${works}`, ignore];
    return { subject, lead: `Use this code to ${purpose}.`, code, link, notes };
  }
  return {
    subject,
    lead: `Use this code or the link below to ${purpose}.`,
    code,
    link: { label, address: link },
    notes: [`Either ${works}`, ignore],
  };
}

function formatDuration(minutes: number): string {
  if (minutes === 1) return "1 minute";
  if (minutes === 60) return "1 hour";
  if (minutes % 1440 === 0 && minutes > 1440) return `${minutes / 1440} days`;
  return minutes % 60 === 0 ? `${minutes / 60} hours` : `${minutes} minutes`;
}
