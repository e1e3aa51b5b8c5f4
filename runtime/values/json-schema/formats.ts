import { isEmail } from "../addresses/email-and-url.js";
import { readDate, readTimestamp } from "../time.js";
import { isUuid } from "../uuid.js";

interface Format {
  /** The message for text that does not match the format. */
  readonly expected: string;
  readonly holds: (text: string) => boolean;
}

/** The formats that values are validated against. */
export const formats: Readonly<Record<string, Format>> = {
  date: { expected: "Must be a date: YYYY-MM-DD", holds: (text) => readDate(text) !== null },
  "date-time": {
    expected: "Must be a date and time such as 2026-01-31T09:30:00Z",
    holds: isDateTime,
  },
  time: { expected: "Must be a time such as 09:30:00Z", holds: isTime },
  email: { expected: "Must be an email address", holds: isEmail },
  uri: { expected: "Must be a URI such as https://example.com", holds: isUri },
  uuid: { expected: "Must be a UUID", holds: isUuid },
};

/** A date and time (RFC 3339). Unlike in time fields, any number of fraction digits is accepted. */
function isDateTime(text: string): boolean {
  return (
    readDate(text.slice(0, 10)) !== null && /^[Tt]/.test(text[10] ?? "") && isTime(text.slice(11))
  );
}

/** A time with an offset (RFC 3339), tested on a day that had a leap second. */
function isTime(text: string): boolean {
  return /^\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text)
    ? readTimestamp(`2016-12-31T${text.replace(/\.\d+/, "")}`) !== null
    : false;
}

/** A URI (RFC 3986): a scheme, a path, and an optional authority, query and fragment. */
const uri = (() => {
  const encoded = "%[\\da-f]{2}";
  const plain = "[\\w.~!$&'()*+,;=-]";
  const userinfo = `(?:${plain}|:|${encoded})*@`;
  const host = `(?:\\[(?<address>[\\da-f:.]+)\\]|\\[v[\\da-f]+\\.(?:${plain}|:)+\\]|(?:${plain}|${encoded})*)`;
  const path = `(?:${plain}|[:@/]|${encoded})*`;
  const authority = `//(?:${userinfo})?${host}(?::\\d*)?(?:/${path})?`;
  const rest = `(?:${plain}|[:@/?]|${encoded})*`;
  return new RegExp(
    `^[a-z][a-z\\d+.-]*:(?:${authority}|(?!//)${path})(?:\\?${rest})?(?:#${rest})?$`,
    "i",
  );
})();

function isUri(text: string): boolean {
  const found = uri.exec(text);
  if (found === null) return false;
  const address = found.groups?.address;
  return address === undefined || URL.canParse(`ws://[${address}]`);
}
