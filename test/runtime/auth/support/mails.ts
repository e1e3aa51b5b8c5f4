import type { Message } from "../../../../runtime/mail/index.js";
import type { AuthServer } from "./server.js";

type MailOf<Kind extends Message["kind"]> = Extract<Message, { readonly kind: Kind }>;

/** The newest mail of a kind to an address; throws where there is none. */
export function newestMail<Kind extends Message["kind"]>(
  { outbox }: Pick<AuthServer, "outbox">,
  to: string,
  kind: Kind,
): MailOf<Kind> {
  const mail = outbox.to(to).findLast((message) => message.kind === kind);
  if (mail === undefined) throw new Error(`No ${kind} was mailed to ${to}`);
  return mail as MailOf<Kind>;
}

/** The code that was mailed to an address last, of whatever kind. */
export function mailedCode({ outbox }: Pick<AuthServer, "outbox">, email: string): string {
  const message = outbox.to(email).at(-1);
  if (message === undefined || !("code" in message)) throw new Error("No code was mailed");
  return message.code;
}

/** The token in a mailed link. */
export function tokenIn(link: string | null): string {
  return (link && new URL(link).searchParams.get("token")) ?? "no link";
}

/** Six digits that are not these. */
export function otherCode(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, "0");
}
