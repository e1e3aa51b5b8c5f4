/** The sender of emails. */
export interface Sender {
  /** Empty if only an address is configured. */
  readonly name: string;
  readonly address: string;
  readonly domain: string;
}

/** Parses `Shop <no-reply@example.com>`. Nodemailer's parser would read a name with a comma as a list of addresses. */
export function senderOf(from: string): Sender {
  const [, before = "", address = from] = /^([^<]*)<([^>]*)>$/.exec(from.trim()) ?? [];
  const name = before
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .replaceAll(/\\(.)/g, "$1");
  return { name, address, domain: address.slice(address.lastIndexOf("@") + 1) };
}
