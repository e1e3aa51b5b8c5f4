/** Maximum number of bytes of an address: RFC 5321 §4.5.3.1, without the brackets of a path. */
const longestAddress = 254;
const longestLocalPart = 64;

/** RFC 5322's dot-atom and, as in RFC 6531, every visible character outside ASCII. */
const localPart = /^(?!\.)(?:\.?[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]|\.?[^\p{ASCII}\p{C}\p{Z}])+$/u;

const domainName =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether a text is an email address, which may have an international local part and domain (RFC 6531). */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(at, 0));
  if (byteLength(text) > longestAddress) return false;
  if (byteLength(local) > longestLocalPart || !localPart.test(local)) return false;
  return asciiDomain(text.slice(at + 1).toLowerCase()) !== null;
}

/** A domain name in lower case, with international labels in punycode; null for any other text. */
export function asciiDomain(text: string): string | null {
  // `URL`, which works in browsers and Node, would stop at a slash, decode `%41` and accept a port.
  if (!/^[a-z0-9.\u0080-\u{10ffff}-]+$/u.test(text) || !URL.canParse(`ws://${text}`)) return null;
  const domain = new URL(`ws://${text}`).hostname;
  return domainName.test(domain) && !/\.\d+$/.test(domain) ? domain : null;
}

const encoder = new TextEncoder();

function byteLength(text: string): number {
  return encoder.encode(text).length;
}

/** Whether a text is an http or https URL. */
export function isUrl(text: string): boolean {
  // The parser alone would drop white space and line breaks, and accept "http:x".
  return /^https?:\/\/[^\s/]\S*$/iu.test(text) && URL.canParse(text);
}
