import { isEmail } from "../addresses/email-and-url.js";
import { readDate, readTimestamp } from "../time.js";
import { isUuid } from "../uuid.js";

interface Format {
  /** The message for any other text. */
  readonly expected: string;
  readonly holds: (text: string) => boolean;
}

/** The formats that values are judged by. */
export const formats: Readonly<Record<string, Format>> = {
  date: { expected: "Must be a date: YYYY-MM-DD", holds: (text) => readDate(text) !== null },
  "date-time": {
    expected: "Must be a date and time such as 2026-01-31T09:30:00Z",
    holds: (text) => readTimestamp(text) !== null,
  },
  time: { expected: "Must be a time such as 09:30:00Z", holds: isTime },
  email: { expected: "Must be an email address", holds: isEmail },
  uri: { expected: "Must be a URI such as https://example.com", holds: isUri },
  uuid: { expected: "Must be a UUID", holds: isUuid },
};

/** A time with an offset (RFC 3339), here of any day. */
function isTime(text: string): boolean {
  return /^\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text)
    ? readTimestamp(`2016-12-31T${text.replace(/\.\d+/, "")}`) !== null
    : false;
}

/** An absolute address with a scheme, of the characters that RFC 3986 allows. */
function isUri(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})*$/i.test(text);
}
