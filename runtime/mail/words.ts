import type { Message } from "./message.js";

/** What a mail says, before it is text or HTML. */
export interface Words {
  readonly subject: string;
  /** What this mail is for. */
  readonly lead: string;
  readonly code: string | null;
  readonly link: { readonly label: string; readonly address: string } | null;
  /** How long it counts, and what to do for who did not ask. */
  readonly notes: readonly string[];
}

/** The words of a message; `app` is the app's name. */
export function wordsOf(message: Message, app: string): Words {
  switch (message.kind) {
    case "sign-in-link":
      return {
        subject: `Sign in to ${app}`,
        lead: `With this link you sign in to ${app}.`,
        code: null,
        link: { label: "Sign in", address: message.link },
        notes: [
          `The link works once, within ${duration(message.minutes)}.`,
          "If you did not ask for it, ignore this mail and pass the link on to nobody.",
        ],
      };
    case "sign-in-code":
      return {
        subject: `Your sign-in code for ${app}`,
        lead: `With this code you sign in to ${app}.`,
        code: message.code,
        link: null,
        notes: [
          `The code works once, within ${duration(message.minutes)}.`,
          "If you did not ask for it, ignore this mail and tell the code to nobody.",
        ],
      };
    case "second-step-code":
      return {
        subject: `Your second step at ${app}`,
        lead: `With this code you finish signing in to ${app}.`,
        code: message.code,
        link: null,
        notes: [
          `The code works once, within ${duration(message.minutes)}.`,
          "If you are not signing in, ignore this mail and tell the code to nobody. " +
            "Somebody may know your password: change it.",
        ],
      };
    case "set-up-code":
      return {
        subject: `Switch on emailed codes at ${app}`,
        lead: `With this code you make emailed codes the second step of signing in to ${app}.`,
        code: message.code,
        link: null,
        notes: [
          `The code works once, within ${duration(message.minutes)}.`,
          "If you did not ask for it, ignore this mail and tell the code to nobody. " +
            "Somebody may be signed in as you: change your password.",
        ],
      };
    case "verification":
      return verification(message, app);
    case "reset-link":
      return {
        subject: `Reset your password at ${app}`,
        lead: `With this link you choose a new password at ${app}.`,
        code: null,
        link: { label: "Choose a password", address: message.link },
        notes: [
          `The link works once, within ${duration(message.minutes)}.`,
          "If you did not ask for it, ignore this mail: your password stays as it is.",
        ],
      };
    case "account-exists":
      return {
        subject: `You have an account at ${app}`,
        lead: `Somebody tried to register this address at ${app}, which has an account already.`,
        code: null,
        link: null,
        notes: [
          "If it was you, sign in as before. If you have forgotten your password, ask for a link to reset it.",
          "If it was not you, ignore this mail: nothing has changed.",
        ],
      };
    default:
      return message satisfies never;
  }
}

function verification(
  { code, link, minutes }: Extract<Message, { kind: "verification" }>,
  app: string,
): Words {
  const subject = `Confirm your address at ${app}`;
  const ignore = "If you did not ask for it, ignore this mail: the address stays unconfirmed.";
  if (link === null) {
    return {
      subject,
      lead: `With this code you confirm your address at ${app}.`,
      code,
      link,
      notes: [`The code works once, within ${duration(minutes)}.`, ignore],
    };
  }
  return {
    subject,
    lead: `With this code or the link below you confirm your address at ${app}.`,
    code,
    link: { label: "Confirm the address", address: link },
    notes: [`Either works once, within ${duration(minutes)}.`, ignore],
  };
}

function duration(minutes: number): string {
  if (minutes === 1) return "1 minute";
  if (minutes === 60) return "1 hour";
  return minutes % 60 === 0 ? `${minutes / 60} hours` : `${minutes} minutes`;
}
