import { contentOf } from "./content.js";
import { htmlOf } from "./html.js";
import type { MailContent } from "./mail-content.js";
import type { Message } from "./message.js";
import { greetableName, plainName } from "./name.js";

/** An email's subject, and its body as text and as HTML. The HTML is missing if app code sent only text. */
export interface ComposedMail {
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
}

/** Composes an email. The recipient's name is the only part that comes from a request. */
export function composeMail(message: Message, appName: string): Required<ComposedMail> {
  const app = plainName(appName);
  const content = contentOf(message, app);
  const name = greetableName(message.name);
  const greeting = name === null ? "Hello," : `Hello ${name},`;
  return {
    subject: content.subject,
    text: textOf(greeting, content),
    html: htmlOf({ app, greeting, ...content }),
  };
}

function textOf(greeting: string, { lead, code, link, notes }: MailContent): string {
  const shown = [code, link?.address ?? null].filter((line) => line !== null);
  return `${[greeting, lead, ...shown, ...notes].join("\n\n")}\n`;
}
