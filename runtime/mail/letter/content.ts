import type { Message } from "./message.js";

/** What a mail says, before it is rendered as text and HTML. */
export interface MailContent {
  readonly subject: string;
  /** What this mail is for. */
  readonly lead: string;
  readonly code: string | null;
  readonly link: { readonly label: string; readonly address: string } | null;
  /** How long it works, and what to do if it was not requested. */
  readonly notes: readonly string[];
}

/** The content of a message; `app` is the app's name. */
export function contentOf(message: Message, app: string): MailContent {
  switch (message.kind) {
    case "sign-in-link":
      return {
        subject: `Sign in to ${app}`,
        lead: `Use this link to sign in to ${app}.`,
        code: null,
        link: { label: "Sign in", address: message.link },
        notes: [
          `The link works once, within ${formatDuration(message.minutes)}.`,
          "If you did not request it, ignore this mail and do not share the link.",
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
          "If you did not request it, ignore this mail and do not share the code.",
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
          "If you are not signing in, ignore this mail and do not share the code. " +
            "Somebody may know your password: change it.",
        ],
      };
    case "set-up-code":
      return {
        subject: `Switch on emailed codes at ${app}`,
        lead: `Use this code to make emailed codes the second step of signing in to ${app}.`,
        code: message.code,
        link: null,
        notes: [
          `The code works once, within ${formatDuration(message.minutes)}.`,
          "If you did not request it, ignore this mail and do not share the code. " +
            "Somebody may be signed in as you: change your password.",
        ],
      };
    case "verification":
      return verification(message, app);
    case "reset-link":
      return {
        subject: `Reset your password at ${app}`,
        lead: `Use this link to choose a new password at ${app}.`,
        code: null,
        link: { label: "Choose a password", address: message.link },
        notes: [
          `The link works once, within ${formatDuration(message.minutes)}.`,
          "If you did not request it, ignore this mail: your password has not changed.",
        ],
      };
    case "invitation":
      return {
        subject: `You are invited to ${app}`,
        lead: `An account at ${app} was made for you. Use this link to choose its password.`,
        code: null,
        link: { label: "Choose a password", address: message.link },
        notes: [
          `The link works once, within ${formatDuration(message.minutes)}.`,
          "If you did not expect it, ignore this mail and do not share the link.",
        ],
      };
    case "account-exists":
      return {
        subject: `You have an account at ${app}`,
        lead: `Somebody tried to register this address at ${app}, which already has an account.`,
        code: null,
        link: null,
        notes: [
          "If it was you, sign in as before. If you have forgotten your password, request a link to reset it.",
          "If it was not you, ignore this mail: nothing has changed.",
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
            ? "Its receiver answered 410: it is gone."
            : "For five days it has accepted nothing that was sent to it.",
          "Its deliveries show why. Those that wait are sent once an operator enables it again.",
        ],
      };
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
        lead: `A second step of signing in to ${app} was switched on for your account`,
      });
    case "second-step-off":
      return notice(message, {
        subject: `The second step at ${app} was switched off`,
        lead: `The second step of signing in to ${app} was switched off for your account`,
      });
    case "backup-codes-renewed":
      return notice(message, {
        subject: `New backup codes at ${app}`,
        lead: `New backup codes were made for your account at ${app}`,
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
        lead: `Your account at ${app} can be signed in to with ${message.provider}; this was added`,
      });
    case "identity-removed":
      return notice(message, {
        subject: `Sign-in with ${message.provider} was removed at ${app}`,
        lead: `Sign-in with ${message.provider} was removed from your account at ${app}`,
      });
    case "address-adopted":
      return notice(message, {
        subject: `Your account at ${app} was reset`,
        lead: `Somebody signed in to ${app} as the owner of this address, which had not been confirmed before`,
        effect:
          "What had been set up before was removed: the password, passkeys, linked sign-ins, second step, name, " +
          "picture and signed-in devices.",
      });
    default:
      return message satisfies never;
  }
}

/** Notices have no code and no link, so that a phishing mail with a link does not look like one. */
function notice(
  { at }: { readonly at: string },
  {
    subject,
    lead,
    effect,
  }: { readonly subject: string; readonly lead: string; readonly effect?: string },
): MailContent {
  const alarm =
    "If it was not you, somebody may have got in: choose another password on the sign-in page, " +
    "and sign out all other devices.";
  return {
    subject,
    lead: `${lead}, on ${formatTime(at)}.`,
    code: null,
    link: null,
    notes: [
      ...(effect === undefined ? [] : [effect]),
      "If it was you, there is nothing to do.",
      alarm,
    ],
  };
}

/** `2030-01-31 at 09:05 UTC`. */
function formatTime(at: string): string {
  return `${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;
}

function verification(
  { code, link, minutes }: Extract<Message, { kind: "verification" }>,
  app: string,
): MailContent {
  const subject = `Confirm your address at ${app}`;
  const ignore = "If you did not request it, ignore this mail: the address stays unconfirmed.";
  if (link === null) {
    return {
      subject,
      lead: `Use this code to confirm your address at ${app}.`,
      code,
      link,
      notes: [`The code works once, within ${formatDuration(minutes)}.`, ignore],
    };
  }
  return {
    subject,
    lead: `Use this code or the link below to confirm your address at ${app}.`,
    code,
    link: { label: "Confirm the address", address: link },
    notes: [`Either works once, within ${formatDuration(minutes)}.`, ignore],
  };
}

function formatDuration(minutes: number): string {
  if (minutes === 1) return "1 minute";
  if (minutes === 60) return "1 hour";
  if (minutes % 1440 === 0 && minutes > 1440) return `${minutes / 1440} days`;
  return minutes % 60 === 0 ? `${minutes / 60} hours` : `${minutes} minutes`;
}
