/** Who mail comes from. */
export interface Sender {
  /** Empty where only an address is configured. */
  readonly name: string;
  readonly address: string;
  readonly domain: string;
}

/**
 * Takes `Shop <no-reply@example.com>` apart, here and not by nodemailer, which would read a name with
 * a comma in it as a list of addresses.
 */
export function senderOf(from: string): Sender {
  const [, before = "", address = from] = /^([^<]*)<([^>]*)>$/.exec(from.trim()) ?? [];
  const name = before
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .replaceAll(/\\(.)/g, "$1");
  return { name, address, domain: address.slice(address.lastIndexOf("@") + 1) };
}
