import { en } from "./en/en.js";

// The pure functions also run without a browser.
export const locale = (typeof navigator === "undefined" ? "" : navigator.language) || "en";

const number = new Intl.NumberFormat(locale);
const compact = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
const both = new Intl.ListFormat(locale, { type: "conjunction" });
const either = new Intl.ListFormat(locale, { type: "disjunction" });

export function count(value: number): string {
  return number.format(value);
}

/** `1.2M`, for an axis. */
export function rough(value: number): string {
  return compact.format(value);
}

/** `draft, live or gone`. */
export function listed(words: readonly string[], joined: "and" | "or"): string {
  return (joined === "and" ? both : either).format(words);
}

/** Initials of a person without a picture. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return letters
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toLocaleUpperCase(locale);
}

/** `l•••@northwind.example`: enough for its owner to recognize. */
export function veiled(email: string): string {
  const at = email.lastIndexOf("@");
  return at < 1 ? email : `${[...email][0]}•••${email.slice(at)}`;
}

/** `Firefox on Linux`, from the `User-Agent`; null if it is not recognized. */
export function browserName(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (browser === undefined) return userAgent.split(/[\s/]/)[0] ?? null;
  return system === undefined ? browser : en.common.browserOn(browser, system);
}

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\//, "Firefox"],
  [/\b(?:Headless)?Chrome\//, "Chrome"],
  [/\bVersion\/.*Safari\//, "Safari"],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bMac OS X\b/, "Mac"],
  [/\bWindows\b/, "Windows"],
  [/\bLinux\b/, "Linux"],
];

const megabyte = 1_000_000;

/** `2.1 MB`, `12 kB`. */
export function size(bytes: number): string {
  if (bytes < 1_000) return en.common.bytes(bytes);
  if (bytes < megabyte) return `${number.format(Math.ceil(bytes / 1_000))} kB`;
  return `${number.format(Math.round(bytes / (megabyte / 10)) / 10)} MB`;
}

/** `62 %`. */
export function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}
