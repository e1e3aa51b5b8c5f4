import { type Words, wordsOf } from "./content.js";
import { htmlOf } from "./html.js";
import type { Message } from "./message.js";
import { greetableName, plainName } from "./name.js";

/** What a mail says, as a subject and the same words twice. */
export interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Nothing of it comes from a request but the name that is greeted. */
export function composeLetter(message: Message, appName: string): Letter {
  const app = plainName(appName);
  const words = wordsOf(message, app);
  const name = greetableName(message.name);
  const greeting = name === null ? "Hello," : `Hello ${name},`;
  return {
    subject: words.subject,
    text: textOf(greeting, words),
    html: htmlOf({ app, greeting, ...words }),
  };
}

function textOf(greeting: string, { lead, code, link, notes }: Words): string {
  const shown = [code, link?.address ?? null].filter((line) => line !== null);
  return `${[greeting, lead, ...shown, ...notes].join("\n\n")}\n`;
}
