import { isRunByBrowsers } from "../../values/browser-types.js";
import { hasSignature } from "./detectable.js";
import { isOfBinaryFamily } from "./family.js";

/**
 * Whether people mean that type when they write an extension of it. The public list gives hundreds of
 * extensions to formats that hardly anybody has seen (`.xyz` is chemistry): where bytes cannot tell
 * the format anyway, its extension is as good as an unknown one.
 */
export function isWellKnown(type: string): boolean {
  return (
    isRunByBrowsers(type) ||
    hasSignature(type) ||
    isOfBinaryFamily(type) ||
    commonText.has(type.replace(/^(?:text|application)\//, ""))
  );
}

/** Without `text/` and `application/`. */
const list = `
  plain csv tab-separated-values markdown css calendar vcard x-vcard vtt yaml toml x-typescript
  jsx less x-scss x-sass x-java-source x-c json json5 manifest+json geo+json ld+json sql x-sql
  x-sh x-httpd-php x-subrip vnd.apple.mpegurl
`;
const commonText: ReadonlySet<string> = new Set(list.trim().split(/\s+/));
