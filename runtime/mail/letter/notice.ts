import type { MailContent } from "./mail-content.js";
import type { Message, NoticeKind } from "./message.js";

type Notice = Message & { readonly kind: NoticeKind };

/** The content of a notice; `app` is the app's name. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a table of letters
export function noticeContent(message: Notice, app: string): MailContent {
  switch (message.kind) {
    case "password-changed":
      return notice(message, {
        subject: `Your password at ${app} was changed`,
        lead: `The password of your account at ${app} was changed`,
        effect: "Every other device was signed out.",
      });
    case "password-reset":
      return notice(message, {
        subject: `Your password at ${app} was reset`,
        lead: `The password of your account at ${app} was changed through an emailed link`,
        effect: "Every device was signed out.",
      });
    case "second-step-on":
      return notice(message, {
        subject: `The second step at ${app} was set up`,
        lead: `A second step of signing in to ${app} was enabled for your account`,
      });
    case "second-step-off":
      return notice(message, {
        subject: `The second step at ${app} was disabled`,
        lead: `The second step of signing in to ${app} was disabled for your account`,
      });
    case "backup-codes-renewed":
      return notice(message, {
        subject: `New backup codes at ${app}`,
        lead: `New backup codes were created for your account at ${app}`,
        effect: "The previous ones no longer work.",
      });
    case "passkey-added":
      return notice(message, {
        subject: `A passkey was added at ${app}`,
        lead: `A passkey was added to your account at ${app}`,
      });
    case "passkey-removed":
      return notice(message, {
        subject: `A passkey was removed at ${app}`,
        lead: `A passkey was removed from your account at ${app}`,
      });
    case "identity-added":
      return notice(message, {
        subject: `Sign-in with ${message.provider} was added at ${app}`,
        lead: `Sign-in with ${message.provider} was added to your account at ${app}`,
      });
    case "identity-removed":
      return notice(message, {
        subject: `Sign-in with ${message.provider} was removed at ${app}`,
        lead: `Sign-in with ${message.provider} was removed from your account at ${app}`,
      });
    case "address-adopted":
      return notice(message, {
        subject: `Your account at ${app} was reset`,
        lead: `A person signed in to ${app} as the owner of this address, which had not been confirmed before`,
        effect:
          "What had been set up before was removed: the password, passkeys, linked sign-ins, second step, name, " +
          "picture and signed-in devices.",
      });
    case "email-change-requested":
      return notice(message, {
        subject: `Another address was requested at ${app}`,
        lead: `Another email address was requested for your account at ${app}`,
        effect:
          "It is changed once the new address is confirmed through the email that was sent there.",
      });
    case "email-changed":
      return notice(message, {
        subject: `Your address at ${app} was changed`,
        lead: `The email address of your account at ${app} was changed by an operator`,
        effect: "Mails about the account go to the new address from now on.",
        advice: [`If you did not ask for it, contact the operators of ${app}.`],
      });
    case "app-connected":
      return notice(message, {
        subject: `An app was connected at ${app}`,
        lead: `An app of ${message.host} was connected to your account at ${app}`,
        effect: "It acts on your behalf until you disconnect it on your account page.",
      });
    case "app-token-reused":
      return notice(message, {
        subject: `An app was disconnected at ${app}`,
        lead: `The app of ${message.host} was disconnected from your account at ${app}, because one of its tokens was used twice`,
        effect: "The token may have been copied. The app can be connected again.",
      });
    case "viewed-as":
      return notice(message, {
        subject: `Your account at ${app} was viewed`,
        lead: `An operator of ${app} began to view your account there as you see it`,
        effect: "For 30 minutes, they can read what you can read. They cannot change anything.",
        advice: [`If you did not expect this, contact the operators of ${app}.`],
      });
    default:
      return message satisfies never;
  }
}

/** Notices contain neither codes nor links, so that a phishing email with a link looks different. */
function notice(
  { at }: { readonly at: string },
  {
    subject,
    lead,
    effect,
    advice = ["If it was you, there is nothing to do.", alarm],
  }: {
    readonly subject: string;
    readonly lead: string;
    readonly effect?: string;
    readonly advice?: readonly string[];
  },
): MailContent {
  return {
    subject,
    lead: `${lead}, on ${formatTime(at)}.`,
    code: null,
    link: null,
    notes: [...(effect === undefined ? [] : [effect]), ...advice],
  };
}

const alarm =
  "If it was not you, another person may have access: choose another password on the sign-in page, " +
  "and sign out all other devices.";

/** `2030-01-31 at 09:05 UTC`. */
function formatTime(at: string): string {
  return `${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;
}
