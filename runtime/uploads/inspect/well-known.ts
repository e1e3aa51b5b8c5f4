import { isRunByBrowsers } from "../../values/files/browser-types.js";
import { hasSignature } from "./detectable.js";
import { isOfBinaryFamily } from "./family.js";

/**
 * Whether a file extension listed for a type usually means that type. The public list assigns hundreds of extensions to
 * obscure formats (`.xyz` is chemistry). If the bytes do not reveal the format, such an extension counts as unknown.
 */
export function isWellKnown(type: string): boolean {
  return (
    isRunByBrowsers(type) ||
    hasSignature(type) ||
    isOfBinaryFamily(type) ||
    commonText.has(type.replace(/^(?:text|application)\//, ""))
  );
}

/** Subtypes of `text/` and `application/`. */
const list = `
  plain csv tab-separated-values markdown css calendar vcard x-vcard vtt yaml toml x-typescript
  jsx less x-scss x-sass x-java-source x-c json json5 manifest+json geo+json ld+json sql x-sql
  x-sh x-httpd-php x-subrip vnd.apple.mpegurl
`;
const commonText: ReadonlySet<string> = new Set(list.trim().split(/\s+/));
