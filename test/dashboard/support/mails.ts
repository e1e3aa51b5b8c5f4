import PostalMime from "postal-mime";
import type { MailServer } from "../../support/accounts/smtp.js";

export interface Letter {
  readonly code: string;
  readonly link: string;
}

/** Skips this number of emails to an address, waits for the next one, and returns its code and its link. */
export async function nextMail(mails: MailServer, to: string, after: number): Promise<Letter> {
  for (let looks = 0; looks < 500; looks += 1) {
    const found = mails.mails
      .slice(after)
      .find((mail) => mail.to.includes(to) && /\b\d{6}\b|https?:/.test(mail.raw));
    if (found !== undefined) {
      const { text = "" } = await PostalMime.parse(found.raw);
      return {
        code: /\b\d{6}\b/.exec(text)?.[0] ?? "",
        link: /https?:\S+/.exec(text)?.[0] ?? "",
      };
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`no mail came to ${to}`);
}
