/**
 * Whether a text begins with the headers of an email, which a browser opens as a page if it is MHTML, a web page saved
 * with its pictures. Ordinary emails have the same format and are refused too.
 */
export function beginsLikeMessage(opening: string): boolean {
  const unfolded = opening.replace(/^\uFEFF?\s*/, "").replaceAll(/(?:\r\n|\r|\n)[ \t]+/g, " ");
  for (const line of unfolded.split(/\r\n|\r|\n/)) {
    const [, name, value = ""] = headerLine.exec(line) ?? [];
    if (name === undefined) return false;
    if (/^(?:mime-version|snapshot-content-location)$/i.test(name)) return true;
    if (/^content-type$/i.test(name) && pageType.test(value)) return true;
  }
  return false;
}

const headerLine = /^([!-9;-~]+)[ \t]*:(.*)$/;
const pageType = /^\s*(?:multipart|message)\/|^\s*text\/html/i;
